import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { runForRequest } from '#lib/context/current-request.ts'
import type { IsTrustedHop } from './limits/client-address.ts'

export const REQUEST_ID_HEADER = 'x-request-id'
const FORMAT = /^[\w-]{8,64}$/

/**
 * Names each request, for its log lines and its answer. A trusted proxy may have named it already; other names are
 * replaced, because a client could write anything into the log.
 */
export function createRequestIds(isTrusted: IsTrustedHop): (request: IncomingMessage) => string {
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER]
    const isKept = typeof given === 'string' && FORMAT.test(given) && isTrusted(socket.remoteAddress ?? '', 0)
    return isKept ? given : randomUUID()
  }
}

/** Gives the id to all work of a handler. The parsing of a body would lose it, so this hook runs afterwards. */
export function installRequestContext(app: FastifyInstance): void {
  app.addHook('preHandler', (request, _reply, done) => runForRequest(request.id, done))
}
