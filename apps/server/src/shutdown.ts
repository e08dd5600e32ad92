import type { FastifyBaseLogger } from 'fastify'

const SHUTDOWN_TIMEOUT_MS = 10_000

export interface Closing {
  readonly name: string
  readonly close: () => Promise<void>
}

/**
 * Prepares and closes the parts on SIGTERM or SIGINT and exits 0, or 1 when closing takes ten seconds. Unhandled errors also end the process
 * with 1, so that a supervisor restarts it in a known state. Returns the function that closes and exits.
 */
export function installShutdown(
  log: FastifyBaseLogger,
  parts: readonly Closing[],
  prepare: () => Promise<void>,
): (code: number) => Promise<void> {
  let closing = false
  const shutdown = async (code: number): Promise<void> => {
    if (closing) return
    closing = true
    const deadline = setTimeout(() => process.exit(1), SHUTDOWN_TIMEOUT_MS)
    for (const { name, close } of parts) {
      try {
        await close()
      } catch (error) {
        log.error({ err: error, parte: name }, 'part not closed')
      }
    }
    clearTimeout(deadline)
    process.exit(code)
  }
  let asked = false
  const stop = async (): Promise<void> => {
    // A second signal ends the preparation.
    if (asked) return shutdown(0)
    asked = true
    await prepare().catch((error: unknown) => log.error({ err: error }, 'stop not prepared'))
    await shutdown(0)
  }
  process.on('SIGTERM', () => void stop())
  process.on('SIGINT', () => void stop())
  process.on('unhandledRejection', (error) => {
    if (isWhatsappLibraryRejection(error)) return log.error({ err: error }, 'WhatsApp library rejection ignored')
    log.fatal({ err: error }, 'unhandled rejection')
    void shutdown(1)
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void shutdown(1)
  })
  return shutdown
}

const LIBRARIES = /[\\/]node_modules[\\/](baileys|libsignal|whatsapp-web\.js|puppeteer|puppeteer-core)[\\/]/
const DEPENDENCY = /[\\/]node_modules[\\/]/
/** whatsapp-web.js rejects with these plain strings when a page does not load in time. */
const BARE = new Set<unknown>(['auth timeout', 'ready timeout'])

/**
 * A rejection inside a WhatsApp library affects only the link of one conta, which reconnects. It must not end the
 * server. The innermost file of the stack decides, without Node's own and those of other packages: a callback of
 * ours that fails inside the library is our fault.
 */
export function isWhatsappLibraryRejection(error: unknown): boolean {
  if (!(error instanceof Error)) return BARE.has(error)
  const files = (error.stack ?? '').split('\n').flatMap((line) => stackFile(line) ?? [])
  const origin = files.find((file) => LIBRARIES.test(file) || !DEPENDENCY.test(file))
  return origin !== undefined && LIBRARIES.test(origin)
}

/** The file of a stack line, or undefined for other lines and for frames inside Node. */
function stackFile(line: string): string | undefined {
  const [, place] = /^\s+at (?:.*\()?([^()]+):\d+:\d+\)?$/.exec(line) ?? []
  return place?.startsWith('node:') === true ? undefined : place
}
