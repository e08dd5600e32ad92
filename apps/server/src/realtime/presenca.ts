import type { Sessao } from '#http/authentication.ts'
import { holds } from '#http/permission.ts'
import type { Conexao, Conexoes } from './conexoes.ts'
import type { Publicado } from './fila.ts'

interface Options {
  readonly conexoes: Conexoes
  readonly publish: (contaId: string, evento: Publicado) => void
}

export interface Presenca {
  readonly entered: (conexao: Conexao) => void
  readonly left: (conexao: Conexao) => void
}

function mudanca(sessao: Sessao, status: 'online' | 'offline'): Publicado {
  const { contaId, usuarioId, nome } = sessao
  return { evento: 'operadorStatusChange', dados: { userId: contaId, operadorId: usuarioId, operador: nome, status } }
}

/** Publishes the presence of operadores: online with the first socket of a person, offline with the last. */
export function announcePresence({ conexoes, publish }: Options): Presenca {
  const serves = ({ sessao }: Conexao): boolean => holds(sessao, 'atendimentoHumano')

  const tellWhoIsHere = ({ socket, sessao }: Conexao): void => {
    const vistos = new Set([sessao.usuarioId])
    for (const outra of conexoes.ofConta(sessao.contaId)) {
      if (!serves(outra) || vistos.has(outra.sessao.usuarioId)) continue
      vistos.add(outra.sessao.usuarioId)
      const { evento, dados } = mudanca(outra.sessao, 'online')
      socket.emit(evento, dados)
    }
  }

  return {
    entered: (conexao) => {
      if (!serves(conexao)) return
      tellWhoIsHere(conexao)
      const { contaId, usuarioId } = conexao.sessao
      if (conexoes.countOfUsuario(contaId, usuarioId) === 1) publish(contaId, mudanca(conexao.sessao, 'online'))
    },
    left: (conexao) => {
      const { contaId, usuarioId } = conexao.sessao
      if (!serves(conexao) || conexoes.countOfUsuario(contaId, usuarioId) > 0) return
      publish(contaId, mudanca(conexao.sessao, 'offline'))
    },
  }
}
