import type { FastifyBaseLogger } from 'fastify'
import type { Authenticate, Sessao } from '#http/authentication.ts'
import type { Conexao, Conexoes } from './conexoes.ts'

/** Unsent packets before a browser is disconnected. A healthy browser has almost none. */
const NAO_LIDOS_MAXIMO = 1_000
const OLHAR_MS = 250
const CONFERIR_SESSOES_MS = 60_000

interface Options {
  readonly conexoes: Conexoes
  readonly authenticate: Authenticate
  readonly hasSameRooms: (antes: Sessao, agora: Sessao) => boolean
  readonly cut: (conexao: Conexao) => void
  readonly log: FastifyBaseLogger
}

export interface Guarda {
  readonly watch: () => void
  /** Disconnects when the login session ended or its permissions changed. */
  readonly recheck: (conexao: Conexao) => Promise<void>
  readonly close: () => void
}

/** Disconnects browsers that stopped reading and login sessions that expired. */
export function createGuarda({ conexoes, authenticate, hasSameRooms, cut, log }: Options): Guarda {
  let olhar: NodeJS.Timeout | null = null

  const look = (): void => {
    olhar = null
    let atrasados = false
    for (const conexao of conexoes.all()) {
      const naoLidos = unread(conexao)
      if (naoLidos > NAO_LIDOS_MAXIMO) {
        log.warn({ contaId: conexao.sessao.contaId, naoLidos }, 'socket stopped reading, cut')
        cut(conexao)
      } else if (naoLidos > 0) {
        atrasados = true
      }
    }
    if (atrasados) watch()
  }
  const watch = (): void => {
    olhar ??= setTimeout(look, OLHAR_MS).unref()
  }

  const recheck = async (conexao: Conexao): Promise<void> => {
    try {
      const sessao = await authenticate(conexao.token)
      if (sessao === null || !hasSameRooms(conexao.sessao, sessao)) cut(conexao)
    } catch (error) {
      // Without the database nothing is published either. The next round checks again.
      log.warn({ err: error }, 'socket session not rechecked')
    }
  }

  const ronda = setInterval(() => {
    void recheckAll()
  }, CONFERIR_SESSOES_MS).unref()
  const recheckAll = async (): Promise<void> => {
    for (const conexao of conexoes.all()) await recheck(conexao)
  }

  return {
    watch,
    recheck,
    close: () => {
      clearInterval(ronda)
      if (olhar !== null) clearTimeout(olhar)
    },
  }
}

/** The buffer is documented by Engine.IO but missing in its types. */
function unread({ socket }: Conexao): number {
  const buffer: unknown = Reflect.get(socket.conn, 'writeBuffer')
  return Array.isArray(buffer) ? buffer.length : 0
}
