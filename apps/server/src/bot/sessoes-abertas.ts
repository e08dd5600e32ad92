import { type Lease, soltarLease } from './bots-repository.ts'
import type { Marcador } from './outbox.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { Sessao } from './sessao.ts'

export interface SessoesAbertas {
  readonly get: (contaId: string) => Sessao | undefined
  readonly todas: () => readonly Sessao[]
  readonly guardar: (sessao: Sessao) => void
  /** Closes the session of this lease, but not a newer session of the same conta. Does not wait. */
  readonly terminou: (lease: Pick<Lease, 'contaId' | 'epoca'>) => void
  readonly soltar: (contaId: string, modo: 'fechar' | 'esquecer') => Promise<void>
}

export function createSessoesAbertas({ db, log }: Pick<BotDeps, 'db' | 'log'>, marcador: Marcador): SessoesAbertas {
  const sessoes = new Map<string, Sessao>()

  const fechar = async (sessao: Sessao, modo: 'fechar' | 'esquecer'): Promise<void> => {
    await sessao.encerrar(modo)
    await marcador.ocioso()
    await db.transaction(sessao.contaId, (tx) => soltarLease(tx, sessao.contaId, sessao.lease.epoca))
  }

  return {
    get: (contaId) => sessoes.get(contaId),
    todas: () => [...sessoes.values()],
    guardar: (sessao) => void sessoes.set(sessao.contaId, sessao),
    terminou: ({ contaId, epoca }) => {
      const sessao = sessoes.get(contaId)
      if (sessao?.lease.epoca !== epoca) return
      sessoes.delete(contaId)
      fechar(sessao, 'fechar').catch((error: unknown) =>
        log.warn({ err: error, contaId }, 'lease not released, left to expire'),
      )
    },
    soltar: async (contaId, modo) => {
      const sessao = sessoes.get(contaId)
      if (sessao === undefined) return
      sessoes.delete(contaId)
      await fechar(sessao, modo)
    },
  }
}
