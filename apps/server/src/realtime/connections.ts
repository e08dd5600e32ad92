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
  readonly countOfUsuario: (contaId: string, usuarioId: string) => number
  readonly all: () => Iterable<SocketConnection>
  readonly size: () => number
}

export function createSocketConnections(): SocketConnections {
  const porConta = new Map<string, Set<SocketConnection>>()
  let total = 0
  const ofConta = (contaId: string): ReadonlySet<SocketConnection> => porConta.get(contaId) ?? new Set()

  return {
    add: (conexao) => {
      const { contaId } = conexao.session
      const conjunto = porConta.get(contaId) ?? new Set()
      porConta.set(contaId, conjunto.add(conexao))
      total += 1
    },
    remove: (conexao) => {
      const conjunto = porConta.get(conexao.session.contaId)
      if (conjunto?.delete(conexao) !== true) return
      total -= 1
      if (conjunto.size === 0) porConta.delete(conexao.session.contaId)
    },
    ofConta,
    countOfUsuario: (contaId, usuarioId) => {
      let count = 0
      for (const { session } of ofConta(contaId)) if (session.usuarioId === usuarioId) count += 1
      return count
    },
    all: function* () {
      for (const conjunto of porConta.values()) yield* conjunto
    },
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

export function hasSameRooms(before: LoginSession, now: LoginSession): boolean {
  const [eram, sao] = [roomsOfSession(before), new Set(roomsOfSession(now))]
  return eram.length === sao.size && eram.every((name) => sao.has(name))
}
