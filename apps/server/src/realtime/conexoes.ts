import type { Socket } from 'socket.io'
import type { Sessao } from '#http/authentication.ts'
import { salasDaSessao } from './salas.ts'

export interface Conexao {
  readonly socket: Socket
  readonly token: string
  readonly sessao: Sessao
}

export interface Conexoes {
  readonly add: (conexao: Conexao) => void
  readonly remove: (conexao: Conexao) => void
  readonly ofConta: (contaId: string) => Iterable<Conexao>
  readonly countOfUsuario: (contaId: string, usuarioId: string) => number
  readonly all: () => Iterable<Conexao>
  readonly size: () => number
}

export function createConexoes(): Conexoes {
  const porConta = new Map<string, Set<Conexao>>()
  let total = 0
  const ofConta = (contaId: string): ReadonlySet<Conexao> => porConta.get(contaId) ?? new Set()

  return {
    add: (conexao) => {
      const { contaId } = conexao.sessao
      const conjunto = porConta.get(contaId) ?? new Set()
      porConta.set(contaId, conjunto.add(conexao))
      total += 1
    },
    remove: (conexao) => {
      const conjunto = porConta.get(conexao.sessao.contaId)
      if (conjunto?.delete(conexao) !== true) return
      total -= 1
      if (conjunto.size === 0) porConta.delete(conexao.sessao.contaId)
    },
    ofConta,
    countOfUsuario: (contaId, usuarioId) => {
      let quantas = 0
      for (const { sessao } of ofConta(contaId)) if (sessao.usuarioId === usuarioId) quantas += 1
      return quantas
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
export function cut(conexao: Conexao): void {
  for (const nome of conexao.socket.rooms) void conexao.socket.leave(nome)
  conexao.socket.conn.close(true)
}

export function hasSameRooms(antes: Sessao, agora: Sessao): boolean {
  const [eram, sao] = [salasDaSessao(antes), new Set(salasDaSessao(agora))]
  return eram.length === sao.size && eram.every((nome) => sao.has(nome))
}
