import type { ILogger } from 'baileys/lib/Utils/logger.js'

const nada = (): void => {}

/** Baileys logs keys and messages at every level, so its logger discards everything. */
export const mudo: ILogger = {
  level: 'silent',
  child: () => mudo,
  trace: nada,
  debug: nada,
  info: nada,
  warn: nada,
  error: nada,
}
