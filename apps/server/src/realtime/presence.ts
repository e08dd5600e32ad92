import { hasComponente, type LoginSession } from '#http/authentication.ts'
import type { SocketConnection, SocketConnections } from './connections.ts'
import type { PublishedEvent } from './event-throttle.ts'

interface Options {
  readonly connections: SocketConnections
  readonly publish: (contaId: string, event: PublishedEvent) => void
}

export interface Presence {
  readonly entered: (connection: SocketConnection) => void
  readonly left: (connection: SocketConnection) => void
}

function presenceEvent(session: LoginSession, status: 'online' | 'offline'): PublishedEvent {
  const { contaId, usuarioId, nome } = session
  return { name: 'operadorStatusChange', payload: { userId: contaId, operadorId: usuarioId, operador: nome, status } }
}

/** Publishes the presence of operadores: online with the first socket of a person, offline with the last. */
export function announcePresence({ connections, publish }: Options): Presence {
  const serves = ({ session }: SocketConnection): boolean => hasComponente(session, 'atendimentoHumano')

  const sendPresent = ({ socket, session }: SocketConnection): void => {
    const seen = new Set([session.usuarioId])
    for (const other of connections.ofConta(session.contaId)) {
      if (!serves(other) || seen.has(other.session.usuarioId)) continue
      seen.add(other.session.usuarioId)
      const { name, payload } = presenceEvent(other.session, 'online')
      socket.emit(name, payload)
    }
  }

  return {
    entered: (connection) => {
      if (!serves(connection)) return
      sendPresent(connection)
      const { contaId, usuarioId } = connection.session
      if (connections.countOfUsuario(contaId, usuarioId) === 1)
        publish(contaId, presenceEvent(connection.session, 'online'))
    },
    left: (connection) => {
      const { contaId, usuarioId } = connection.session
      if (!serves(connection) || connections.countOfUsuario(contaId, usuarioId) > 0) return
      publish(contaId, presenceEvent(connection.session, 'offline'))
    },
  }
}
