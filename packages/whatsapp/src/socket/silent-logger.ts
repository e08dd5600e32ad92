import type { ILogger } from 'baileys/lib/Utils/logger.js'

const noop = (): void => {}

/** Baileys logs keys and messages at every level, so its logger discards everything. */
export const silentLogger: ILogger = {
  level: 'silent',
  child: () => silentLogger,
  trace: noop,
  debug: noop,
  info: noop,
  warn: noop,
  error: noop,
}
