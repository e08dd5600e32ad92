import { mailBotDisconnected } from '#modules/emails/index.ts'
import { listDisconnected, LEASES_PER_TAKE } from '#modules/bot/repository.ts'
import { mailMissedQuotaMarks } from '#modules/conversas/index.ts'
import { createLeaseClock } from './lease-clock.ts'
import { createLeaseRenewal } from './renew-leases.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { BotSession } from './session.ts'
import { createOpenSessions, type OpenSessions } from './open-sessions.ts'
import { createLeaseTaking, type LeaseTaking, type LeaseTakingOptions } from './take-leases.ts'

const RENEW_MS = 5_000
const SEARCH_MS = 3_000
const NOTIFY_MS = 60_000

export type SessionRegistryOptions = Omit<LeaseTakingOptions, 'open' | 'clock'>

export interface SessionRegistry {
  readonly get: (contaId: string) => BotSession | undefined
  readonly take: (contaId: string) => Promise<void>
  readonly release: OpenSessions['release']
  readonly unlink: LeaseTaking['unlink']
  readonly check: (contaId: string) => Promise<void>
  readonly leasesAlive: () => boolean
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

export function createSessionRegistry(deps: BotDeps, options: SessionRegistryOptions): SessionRegistry {
  const { timings, exclusive } = deps
  const renovarMs = timings?.renewMs ?? RENEW_MS
  const relogio = createLeaseClock(renovarMs)
  const abertas = createOpenSessions(deps, options.sentMarker)
  const { take, unlink, stop: parar } = createLeaseTaking(deps, { ...options, open: abertas, clock: relogio })
  const { renew, check, watch } = createLeaseRenewal(deps, { open: abertas, clock: relogio, take })
  const rondas = createPeriodicTasks(deps.log)
  const { release } = abertas

  return {
    get: abertas.get,
    take: async (contaId) => {
      await take({ contaId, includeHeld: false })
    },
    release,
    unlink,
    check,
    leasesAlive: relogio.alive,
    start: async () => {
      let tomadasAgora = await take({ includeHeld: exclusive })
      if (rondas.paradas()) return
      relogio.roundDone()
      rondas.repetir(renovarMs, renew)
      rondas.repetir(timings?.searchMs ?? SEARCH_MS, async () => {
        await take({ includeHeld: false })
      })
      rondas.repetir(1_000, watch)
      rondas.repetir(timings?.notifyMs ?? NOTIFY_MS, () => mailOwners(deps))
      // A process that runs alone takes all remaining leases now. Otherwise they would look held until they expire.
      while (exclusive && tomadasAgora === LEASES_PER_TAKE && !rondas.paradas()) {
        tomadasAgora = await take({ includeHeld: true })
      }
    },
    stop: async () => {
      rondas.parar()
      await parar()
      await Promise.all(abertas.all().map(({ contaId }) => release(contaId, 'fechar')))
    },
  }
}

/**
 * Queues e-mails about lost connections and daily limits. Each e-mail has a unique key, so several nodes queue it
 * once.
 */
async function mailOwners(deps: BotDeps): Promise<void> {
  for (const { contaId, desde } of await deps.db.transaction('*', listDisconnected)) {
    await deps.db.transaction(contaId, (tx) => mailBotDisconnected(tx, deps, contaId, desde))
  }
  await mailMissedQuotaMarks(deps)
}

/** Runs periodic tasks until stopped. A task never runs twice at the same time. */
function createPeriodicTasks(log: BotDeps['log']) {
  const timers: NodeJS.Timeout[] = []
  let paradas = false
  return {
    paradas: () => paradas,
    repetir: (ms: number, task: () => Promise<void> | void): void => {
      let busy = false
      const uma = (): void => {
        if (busy || paradas) return
        busy = true
        Promise.resolve(task())
          .catch((error: unknown) => log.error({ err: error }, 'session upkeep failed, retrying'))
          .finally(() => (busy = false))
      }
      timers.push(setInterval(uma, ms))
    },
    parar: (): void => {
      paradas = true
      for (const timer of timers) clearInterval(timer)
    },
  }
}
