import type { IncomingMessage } from 'node:http'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { AppError } from '#errors.ts'
import { lacksSecondFactor, requireSecondFactor } from '#http/authentication.ts'
import { clientAddress, createTrust, type TrustProxy } from '#http/limits/client-address.ts'
import { createGate } from '#lib/queue/gate.ts'
import { ipKey, networkKey } from '#lib/ip-address.ts'
import type { Clock } from '#ports/clock.ts'
import type { FileLinks } from '#ports/file-links.ts'
import { createRealtime, type RealtimeOptions, type RealtimeServer } from './server.ts'

/**
 * Each socket login reads the database. At most 4 run at once and 200 of an address wait: the windows of a whole
 * office that reconnect together. So a flood of bad tokens delays only other socket logins of its address. Refused
 * panels try again after some seconds.
 */
const SOCKET_LOGIN_GATE = {
  atOnce: 4,
  waiting: 2_000,
  waitingPerKey: 200,
  full: () => new AppError('servidorOcupado'),
}

interface SocketServerOptions {
  readonly clock: Clock
  readonly log: FastifyBaseLogger
  readonly settings: { readonly urlPublica: string }
  readonly trustProxy: TrustProxy
}

interface SocketServerDeps extends Pick<
  RealtimeOptions,
  'authenticate' | 'bus' | 'fleet' | 'forgetSessions' | 'peopleHere'
> {
  readonly fileLinks: FileLinks
}

export function createSocketServer(
  { clock, log, settings, trustProxy }: SocketServerOptions,
  http: FastifyInstance,
  { authenticate, fileLinks, ...fleet }: SocketServerDeps,
): RealtimeServer {
  const gate = createGate(SOCKET_LOGIN_GATE)
  const isTrusted = createTrust(trustProxy)
  const addressOf = (request: IncomingMessage): string => clientAddress(request, isTrusted)
  return createRealtime({
    ...fleet,
    httpServer: http.server,
    // A person of whom a second factor was demanded meanwhile loses the socket at its next check.
    authenticate: async (token) => {
      const session = await authenticate(token)
      return session === null || lacksSecondFactor(session) ? null : session
    },
    addressKey: (request) => ipKey(addressOf(request)),
    signFile: fileLinks.sign,
    admit: async (token, request) => {
      const session = await gate.run(() => authenticate(token), networkKey(addressOf(request)))
      // After a restart all browsers reconnect by socket first. Their next HTTP requests count per token instead of
      // per IP.
      if (session !== null) {
        http.knownTokens.add(token)
        requireSecondFactor(session)
      }
      return session
    },
    clock,
    log,
    origins: [new URL(settings.urlPublica).origin],
  })
}
