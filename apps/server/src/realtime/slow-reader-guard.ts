import type { FastifyBaseLogger } from 'fastify'
import type { Authenticate, LoginSession } from '#http/authentication.ts'
import type { SocketConnection, SocketConnections } from './connections.ts'

/** Unsent packets before a browser is disconnected. A healthy browser has almost none. */
const UNREAD_MAX = 1_000
const LOOK_MS = 250
const RECHECK_MS = 60_000

interface Options {
  readonly connections: SocketConnections
  readonly authenticate: Authenticate
  readonly hasSameRooms: (before: LoginSession, now: LoginSession) => boolean
  readonly cut: (connection: SocketConnection) => void
  readonly log: FastifyBaseLogger
}

export interface SlowReaderGuard {
  readonly watch: () => void
  /** Unsent packets of all browsers. */
  readonly unread: () => number
  /** Disconnects when the login session ended or its permissions changed. */
  readonly recheck: (connection: SocketConnection) => Promise<void>
  readonly close: () => void
}

/** Disconnects browsers that stopped reading and login sessions that expired. */
export function createSlowReaderGuard({ connections, authenticate, hasSameRooms, cut, log }: Options): SlowReaderGuard {
  let lookTimer: NodeJS.Timeout | null = null

  const look = (): void => {
    lookTimer = null
    let behind = false
    for (const connection of connections.all()) {
      const naoLidos = unread(connection)
      if (naoLidos > UNREAD_MAX) {
        log.warn({ contaId: connection.session.contaId, naoLidos }, 'socket stopped reading, cut')
        cut(connection)
      } else if (naoLidos > 0) {
        behind = true
      }
    }
    if (behind) watch()
  }
  const watch = (): void => {
    lookTimer ??= setTimeout(look, LOOK_MS).unref()
  }

  const recheck = async (connection: SocketConnection): Promise<void> => {
    try {
      const session = await authenticate(connection.token)
      if (session === null || !hasSameRooms(connection.session, session)) cut(connection)
    } catch (error) {
      // Without the database nothing is published either. The next round checks again.
      log.warn({ err: error }, 'socket session not rechecked')
    }
  }

  const recheckTimer = setInterval(() => {
    void recheckAll()
  }, RECHECK_MS).unref()
  const recheckAll = async (): Promise<void> => {
    for (const connection of connections.all()) await recheck(connection)
  }

  return {
    watch,
    unread: () => [...connections.all()].reduce((sum, connection) => sum + unread(connection), 0),
    recheck,
    close: () => {
      clearInterval(recheckTimer)
      if (lookTimer !== null) clearTimeout(lookTimer)
    },
  }
}

/** The buffer is documented by Engine.IO but missing in its types. */
function unread({ socket }: SocketConnection): number {
  const buffer: unknown = Reflect.get(socket.conn, 'writeBuffer')
  return Array.isArray(buffer) ? buffer.length : 0
}
