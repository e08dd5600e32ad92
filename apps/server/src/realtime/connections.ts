import type { Socket } from 'socket.io'
import type { LoginSession } from '#http/authentication.ts'
import { roomsOfSession } from './rooms.ts'

export interface SocketConnection {
  readonly socket: Socket
  readonly token: string
  readonly session: LoginSession
}

export interface SocketConnections {
  readonly add: (conexao: SocketConnection) => void
  readonly remove: (conexao: SocketConnection) => void
  readonly ofConta: (contaId: string) => Iterable<SocketConnection>
  readonly countOfConta: (contaId: string) => number
  readonly countOfUsuario: (contaId: string, usuarioId: string) => number
  readonly all: () => Iterable<SocketConnection>
  readonly contas: () => Iterable<string>
  readonly size: () => number
}

export function createSocketConnections(): SocketConnections {
  const byConta = new Map<string, Set<SocketConnection>>()
  let total = 0
  const ofConta = (contaId: string): ReadonlySet<SocketConnection> => byConta.get(contaId) ?? new Set()

  return {
    add: (connection) => {
      const { contaId } = connection.session
      const sockets = byConta.get(contaId) ?? new Set()
      byConta.set(contaId, sockets.add(connection))
      total += 1
    },
    remove: (connection) => {
      const sockets = byConta.get(connection.session.contaId)
      if (sockets?.delete(connection) !== true) return
      total -= 1
      if (sockets.size === 0) byConta.delete(connection.session.contaId)
    },
    ofConta,
    countOfConta: (contaId) => ofConta(contaId).size,
    countOfUsuario: (contaId, usuarioId) => {
      let count = 0
      for (const { session } of ofConta(contaId)) if (session.usuarioId === usuarioId) count += 1
      return count
    },
    all: function* () {
      for (const sockets of byConta.values()) yield* sockets
    },
    contas: () => byConta.keys(),
    size: () => total,
  }
}

/**
 * Closes a connection below Socket.IO, without its 'disconnect' packet. The browser then reconnects with current
 * permissions, or is refused. Rooms are left first, so that it receives nothing while the transport closes.
 */
export function cut(connection: SocketConnection): void {
  for (const name of connection.socket.rooms) void connection.socket.leave(name)
  connection.socket.conn.close(true)
}

const REFETCH_SPREAD_MS = 3_000
const REFETCH_EVERY_MS = 10_000

/**
 * Returns a function that closes all sockets, spread over 3 s. The browsers then reconnect and fetch what they missed.
 * Calls within 10 s of the last round share the next round.
 */
export function createRefetch(connections: Pick<SocketConnections, 'all'>): () => void {
  let lastAt = Number.NEGATIVE_INFINITY
  let planned = false
  const closeAll = (): void => {
    planned = false
    lastAt = performance.now()
    for (const connection of [...connections.all()]) {
      setTimeout(() => cut(connection), Math.random() * REFETCH_SPREAD_MS).unref()
    }
  }
  return () => {
    if (planned) return
    planned = true
    setTimeout(closeAll, Math.max(0, lastAt + REFETCH_EVERY_MS - performance.now())).unref()
  }
}

export function hasSameRooms(before: LoginSession, now: LoginSession): boolean {
  const [old, current] = [roomsOfSession(before), new Set(roomsOfSession(now))]
  return old.length === current.size && old.every((name) => current.has(name))
}
