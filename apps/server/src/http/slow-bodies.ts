import type { FastifyInstance } from 'fastify'
import { TIMEOUT_ENVIO_MS } from '@balcao/contract/constants'

/**
 * Limit of Node for the whole request. It exceeds the panel's own timeout for uploads, so the panel can show its
 * message first.
 */
export const REQUEST_MS = TIMEOUT_ENVIO_MS + 15_000

const BODY_MS = 30_000

/**
 * Cuts a connection whose body takes longer than 30 s. Multipart uploads are exempt: a file may need longer on a
 * slow line.
 */
export function cutSlowBodies(app: FastifyInstance, bodyMs = BODY_MS): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { raw, headers } = request
    if (!raw.complete && headers['content-type']?.startsWith('multipart/') !== true) {
      const fim = setTimeout(() => {
        if (!raw.complete) raw.destroy()
      }, bodyMs)
      raw.once('close', () => clearTimeout(fim))
    }
    done(null, payload)
  })
}
