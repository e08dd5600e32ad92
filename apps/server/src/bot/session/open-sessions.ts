import { type Lease, releaseLease } from '#modules/bot/repository.ts'
import type { SentMarker } from '#bot/outbox/delivery.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { BotSession } from './session.ts'

export interface OpenSessions {
  readonly get: (contaId: string) => BotSession | undefined
  readonly all: () => readonly BotSession[]
  readonly add: (session: BotSession) => void
  /** Closes the session of this lease, but not a newer session of the same conta. Does not wait. */
  readonly ended: (lease: Pick<Lease, 'contaId' | 'epoca'>) => void
  readonly release: (contaId: string, mode: 'fechar' | 'esquecer') => Promise<void>
}

export function createOpenSessions({ db, log }: Pick<BotDeps, 'db' | 'log'>, sentMarker: SentMarker): OpenSessions {
  const sessions = new Map<string, BotSession>()

  const close = async (session: BotSession, mode: 'fechar' | 'esquecer'): Promise<void> => {
    await session.end(mode)
    await sentMarker.idle()
    await db.transaction(session.contaId, (tx) => releaseLease(tx, session.contaId, session.lease.epoca))
  }

  return {
    get: (contaId) => sessions.get(contaId),
    all: () => [...sessions.values()],
    add: (session) => void sessions.set(session.contaId, session),
    ended: ({ contaId, epoca }) => {
      const session = sessions.get(contaId)
      if (session?.lease.epoca !== epoca) return
      sessions.delete(contaId)
      close(session, 'fechar').catch((error: unknown) =>
        log.warn({ err: error, contaId }, 'lease not released, left to expire'),
      )
    },
    release: async (contaId, mode) => {
      const session = sessions.get(contaId)
      if (session === undefined) return
      sessions.delete(contaId)
      await close(session, mode)
    },
  }
}
