import type { FastifyBaseLogger } from 'fastify'
import type { Server, Socket } from 'socket.io'
import type { Authenticate, LoginSession } from '#http/authentication.ts'
import type { SocketConnection, SocketConnections } from './connections.ts'

/** Unsent packets before a browser is disconnected. A healthy browser has almost none. */
const UNREAD_MAX = 1_000
/** Length of the unsent packets and of those on their way to the network. A new conversa may have 1 MB. */
const UNREAD_BYTES_MAX = 8_000_000
const LOOK_MS = 250
const RECHECK_MS = 60_000

interface Options {
  readonly engine: Server['engine']
  readonly connections: SocketConnections
  readonly authenticate: Authenticate
  readonly hasSameRooms: (before: LoginSession, now: LoginSession) => boolean
  readonly cut: (connection: SocketConnection) => void
  readonly log: FastifyBaseLogger
}

export interface SlowReaderGuard {
  readonly watch: () => void
  readonly unread: () => number
  readonly recheck: (connection: SocketConnection) => Promise<void>
  readonly close: () => void
}

/** Disconnects browsers that stopped reading and login sessions that expired. */
export function createSlowReaderGuard(options: Options): SlowReaderGuard {
  const { connections, authenticate, hasSameRooms, cut, log } = options
  const unsentLength = measureUnsent(options.engine)
  let lookTimer: NodeJS.Timeout | null = null

  const look = (): void => {
    lookTimer = null
    let behind = false
    for (const connection of connections.all()) {
      const naoLidos = waitingPackets(connection).length
      if (naoLidos > UNREAD_MAX || unsentLength(connection) > UNREAD_BYTES_MAX) {
        log.warn({ contaId: connection.session.contaId, naoLidos }, 'socket stopped reading, cut')
        cut(connection)
      } else if (naoLidos > 0 || !connection.socket.conn.transport.writable) {
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
    unread: () => [...connections.all()].reduce((sum, connection) => sum + waitingPackets(connection).length, 0),
    recheck,
    close: () => {
      clearInterval(recheckTimer)
      if (lookTimer !== null) clearTimeout(lookTimer)
    },
  }
}

/** Control packets have no data. */
interface Packet {
  readonly data?: unknown
}

/** The buffer is documented by Engine.IO but missing in its types. */
function waitingPackets({ socket }: SocketConnection): readonly Packet[] {
  const buffer: unknown = Reflect.get(socket.conn, 'writeBuffer')
  return Array.isArray(buffer) ? buffer : []
}

/** Returns the function that measures the waiting packets and the last ones that the transport has not sent yet. */
function measureUnsent(engine: Server['engine']): (connection: SocketConnection) => number {
  const flushed = new WeakMap<Socket['conn'], number>()
  engine.on('flush', (conn: Socket['conn'], packets: readonly Packet[]) => void flushed.set(conn, lengthOf(packets)))
  return (connection) => {
    const { conn } = connection.socket
    const sending = conn.transport.writable ? 0 : (flushed.get(conn) ?? 0)
    return lengthOf(waitingPackets(connection)) + sending
  }
}

function lengthOf(packets: readonly Packet[]): number {
  return packets.reduce((sum, { data }) => (typeof data === 'string' ? sum + data.length : sum), 0)
}
