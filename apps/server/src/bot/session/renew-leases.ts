import { type Lease, type LeaseToRenew, type RenewedLease, renewLeases } from '#modules/bot/repository.ts'
import { listOverdueContas } from '#bot/outbox/delivery.ts'
import type { LeaseClock } from './lease-clock.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { BotSession } from './session.ts'
import type { OpenSessions } from './open-sessions.ts'
import type { LeaseTaking } from './take-leases.ts'

export interface LeaseRenewal {
  readonly renew: () => Promise<void>
  /** Checks one conta after a bus event: stops its session, or loads new rows of `saida`. */
  readonly check: (contaId: string) => Promise<void>
  /** Closes all sessions when their leases may have expired, for example without a database. */
  readonly watch: () => void
}

interface LeaseRenewalOptions {
  readonly open: OpenSessions
  readonly clock: LeaseClock
  readonly take: LeaseTaking['take']
}

const toLeaseToRenew = ({ lease, silenceMs }: BotSession): LeaseToRenew => ({ ...lease, silenceMs: silenceMs() })

export function createLeaseRenewal(deps: BotDeps, { open, clock, take }: LeaseRenewalOptions): LeaseRenewal {
  const { db, log, node } = deps

  /** Closes a session that was asked to stop. Opens a new one if the bot has been started again since. */
  const obedecer = async (
    { epoca }: Pick<Lease, 'epoca'>,
    { contaId, desejado, esquecida }: RenewedLease,
  ): Promise<void> => {
    if (open.get(contaId)?.lease.epoca !== epoca) return
    await open.release(contaId, esquecida ? 'esquecer' : 'fechar')
    if (desejado) await take({ contaId, includeHeld: false })
  }

  const seguir = (mine: LeaseToRenew, renovada: RenewedLease | undefined): void => {
    const { contaId } = mine
    if (renovada === undefined) {
      log.warn({ contaId }, 'lease lost, session closed')
      open.ended(mine)
    } else if (renovada.parada) {
      // Not awaited, because a link that closes slowly must not delay the other renewals.
      obedecer(mine, renovada).catch((error: unknown) => log.error({ err: error, contaId }, 'bot not stopped'))
    }
  }

  const recuperarAtrasadas = async (): Promise<void> => {
    const contas = open.all().map(({ contaId }) => contaId)
    for (const contaId of await db.transaction('*', (tx) => listOverdueContas(tx, contas))) {
      const recuperada = open.get(contaId)?.recover()
      // An error of one conta must not stop the others.
      await recuperada?.catch((error: unknown) => log.error({ err: error, contaId }, 'pending messages not read'))
    }
  }

  return {
    renew: async () => {
      const minhas = open.all().map(toLeaseToRenew)
      if (minhas.length > 0) {
        const since = performance.now()
        const renovadas = await db.transaction('*', (tx) => renewLeases(tx, node, minhas))
        clock.renewedAt(since)
        const alive = new Map(renovadas.map((renovada) => [renovada.contaId, renovada]))
        for (const mine of minhas) seguir(mine, alive.get(mine.contaId))
        await recuperarAtrasadas()
      }
      clock.roundDone()
    },
    check: async (contaId) => {
      const session = open.get(contaId)
      if (session === undefined) return
      const [renovada] = await db.transaction(contaId, (tx) => renewLeases(tx, node, [toLeaseToRenew(session)]))
      if (renovada === undefined) return open.ended(session.lease)
      if (renovada.parada) await obedecer(session.lease, renovada)
      else await session.recover()
    },
    watch: () => {
      const sessions = open.all()
      if (sessions.length === 0 || clock.valid()) return
      log.error({ sessoes: sessions.length }, 'leases not renewed in time, all sessions closed')
      for (const { lease } of sessions) open.ended(lease)
    },
  }
}
