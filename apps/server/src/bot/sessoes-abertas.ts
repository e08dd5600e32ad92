import { type Lease, releaseLease } from './bots-repository.ts'
import type { SentMarker } from './outbox.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { BotSession } from './sessao.ts'

export interface OpenSessions {
  readonly get: (contaId: string) => BotSession | undefined
  readonly all: () => readonly BotSession[]
  readonly add: (sessao: BotSession) => void
  /** Closes the session of this lease, but not a newer session of the same conta. Does not wait. */
  readonly ended: (lease: Pick<Lease, 'contaId' | 'epoca'>) => void
  readonly release: (contaId: string, modo: 'fechar' | 'esquecer') => Promise<void>
}

export function createOpenSessions({ db, log }: Pick<BotDeps, 'db' | 'log'>, sentMarker: SentMarker): OpenSessions {
  const sessoes = new Map<string, BotSession>()

  const fechar = async (sessao: BotSession, modo: 'fechar' | 'esquecer'): Promise<void> => {
    await sessao.end(modo)
    await sentMarker.idle()
    await db.transaction(sessao.contaId, (tx) => releaseLease(tx, sessao.contaId, sessao.lease.epoca))
  }

  return {
    get: (contaId) => sessoes.get(contaId),
    all: () => [...sessoes.values()],
    add: (sessao) => void sessoes.set(sessao.contaId, sessao),
    ended: ({ contaId, epoca }) => {
      const sessao = sessoes.get(contaId)
      if (sessao?.lease.epoca !== epoca) return
      sessoes.delete(contaId)
      fechar(sessao, 'fechar').catch((error: unknown) =>
        log.warn({ err: error, contaId }, 'lease not released, left to expire'),
      )
    },
    release: async (contaId, modo) => {
      const sessao = sessoes.get(contaId)
      if (sessao === undefined) return
      sessoes.delete(contaId)
      await fechar(sessao, modo)
    },
  }
}
