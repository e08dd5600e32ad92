import type { LoginSession } from '#http/authentication.ts'
import { hasComponente } from '#http/permission.ts'
import type { SocketConnection, SocketConnections } from './conexoes.ts'
import type { PublishedEvent } from './fila.ts'

interface Options {
  readonly connections: SocketConnections
  readonly publish: (contaId: string, evento: PublishedEvent) => void
}

export interface Presence {
  readonly entered: (conexao: SocketConnection) => void
  readonly left: (conexao: SocketConnection) => void
}

function presenceEvent(sessao: LoginSession, status: 'online' | 'offline'): PublishedEvent {
  const { contaId, usuarioId, nome } = sessao
  return { name: 'operadorStatusChange', payload: { userId: contaId, operadorId: usuarioId, operador: nome, status } }
}

/** Publishes the presence of operadores: online with the first socket of a person, offline with the last. */
export function announcePresence({ connections, publish }: Options): Presence {
  const serves = ({ session }: SocketConnection): boolean => hasComponente(session, 'atendimentoHumano')

  const tellWhoIsHere = ({ socket, session }: SocketConnection): void => {
    const vistos = new Set([session.usuarioId])
    for (const outra of connections.ofConta(session.contaId)) {
      if (!serves(outra) || vistos.has(outra.session.usuarioId)) continue
      vistos.add(outra.session.usuarioId)
      const { name, payload } = presenceEvent(outra.session, 'online')
      socket.emit(name, payload)
    }
  }

  return {
    entered: (conexao) => {
      if (!serves(conexao)) return
      tellWhoIsHere(conexao)
      const { contaId, usuarioId } = conexao.session
      if (connections.countOfUsuario(contaId, usuarioId) === 1) publish(contaId, presenceEvent(conexao.session, 'online'))
    },
    left: (conexao) => {
      const { contaId, usuarioId } = conexao.session
      if (!serves(conexao) || connections.countOfUsuario(contaId, usuarioId) > 0) return
      publish(contaId, presenceEvent(conexao.session, 'offline'))
    },
  }
}
