import type { FastifyInstance } from 'fastify'
import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'

/** Node's own limit, for the whole request. The panel gives up on a file first, and says so in words. */
export const PEDIDO_INTEIRO_MS = TIMEOUT_ENVIO_MS + 15_000

const CORPO_MS = 30_000

/**
 * Nobody takes longer than half a minute over a few kilobytes of JSON: such a line is cut (D58). Only a file may take as long as a
 * slow line needs for it. `corpoMs` is shortened by tests.
 */
export function cutSlowBodies(app: FastifyInstance, corpoMs = CORPO_MS): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, headers } = request
    if (!raw.complete && headers['content-type']?.startsWith('multipart/') !== true) {
      const fim = setTimeout(() => {
        if (!raw.complete) raw.destroy()
      }, corpoMs)
      raw.once('close', () => clearTimeout(fim))
    }
    done(null, payload)
  })
}
