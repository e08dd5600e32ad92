import type { ILogger } from 'baileys/lib/Utils/logger.js'

const nada = (): void => {}

/** Baileys writes keys and messages into its log at every level: it gets one that keeps nothing. */
export const mudo: ILogger = {
  level: 'silent',
  child: () => mudo,
  trace: nada,
  debug: nada,
  info: nada,
  warn: nada,
  error: nada,
}
