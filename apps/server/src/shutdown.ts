import type { FastifyBaseLogger } from 'fastify'

const PRAZO_MS = 10_000

/** One thing to end, by name; they end in the order given. */
export interface Closing {
  readonly nome: string
  readonly close: () => Promise<void>
}

/**
 * Ends the process in order on SIGTERM or SIGINT and exits 0; exits 1 when it takes longer than ten seconds.
 * A failure nobody handled ends it too, with 1: a supervisor starts a process whose state can be trusted.
 */
export function installShutdown(log: FastifyBaseLogger, partes: readonly Closing[]): void {
  let fechando = false
  const shutdown = async (codigo: number): Promise<void> => {
    if (fechando) return
    fechando = true
    const prazo = setTimeout(() => process.exit(1), PRAZO_MS)
    for (const { nome, close } of partes) {
      try {
        await close()
      } catch (error) {
        log.error({ err: error, parte: nome }, 'failed to close')
      }
    }
    clearTimeout(prazo)
    process.exit(codigo)
  }
  process.on('SIGTERM', () => void shutdown(0))
  process.on('SIGINT', () => void shutdown(0))
  process.on('unhandledRejection', (error) => {
    if (isOfOneLine(error)) return log.error({ err: error }, 'a line of WhatsApp let go of a failure')
    log.fatal({ err: error }, 'unhandled rejection')
    void shutdown(1)
  })
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception')
    void shutdown(1)
  })
}

const LIBRARIES = /[\\/]node_modules[\\/](baileys|libsignal|whatsapp-web\.js|puppeteer)[\\/]/
/** whatsapp-web.js throws these bare, from a page that did not load in time. */
const BARE = new Set<unknown>(['auth timeout', 'ready timeout'])

/**
 * A promise that a library of WhatsApp started and never looked at again, as it does when a line closes under it. It is
 * about one account's line, which closes and opens by itself: no reason to end everybody's server.
 */
export function isOfOneLine(error: unknown): boolean {
  return BARE.has(error) || (error instanceof Error && LIBRARIES.test(error.stack ?? ''))
}
