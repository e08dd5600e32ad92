import { type Lease, unwantBot, releaseLease, takeLeases } from '#modules/bot/repository.ts'
import type { LeaseClock } from './lease-clock.ts'
import type { BotDeps } from '#bot/deps.ts'
import { createBotSession, type BotSession, type BotSessionOptions } from './session.ts'
import type { OpenSessions } from './open-sessions.ts'

/** Selects one conta or any. `includeHeld` also takes unexpired leases of a dead process. */
export interface LeaseFilter {
  readonly contaId?: string
  readonly includeHeld: boolean
}

export interface LeaseTaking {
  readonly take: (filtro: LeaseFilter) => Promise<number>
  /** Unlinks a phone whose credentials no session holds. Does not reject when the phone cannot be reached. */
  readonly unlink: (link: Lease) => Promise<void>
  /** Stops taking leases. Resolves when sessions being opened are open or released. */
  readonly stop: () => Promise<void>
}

export interface LeaseTakingOptions extends Omit<BotSessionOptions, 'lease' | 'whatsapp' | 'leaseValid' | 'ended'> {
  readonly open: OpenSessions
  readonly clock: LeaseClock
  readonly whatsappOf: (contaId: string) => Promise<BotSessionOptions['whatsapp']>
  /** Called for each new lease, to take over the pending questions of a dead node. */
  readonly taken: (contaId: string) => Promise<void>
}

export function createLeaseTaking(deps: BotDeps, options: LeaseTakingOptions): LeaseTaking {
  const { db, log, node } = deps
  const { open, clock } = options
  /** Awaited on shutdown, so that this node keeps no lease without a session. */
  const tomadas = new Set<Promise<unknown>>()
  let stopped = false

  /** Creates the session of a lease without starting it. Null when there is none to run. */
  const abrir = async (lease: Lease): Promise<BotSession | null> => {
    const { contaId } = lease
    const previous = open.get(contaId)
    if (previous !== undefined) open.ended(previous.lease)
    const whatsapp = await options.whatsappOf(contaId)
    if (stopped) {
      // The node is stopping: the bot stays wanted and the lease is free for another node.
      await db.transaction(contaId, (tx) => releaseLease(tx, contaId, lease.epoca))
      return null
    }
    const { ended } = open
    const session = createBotSession(deps, { ...options, lease, whatsapp, ended, leaseValid: clock.valid })
    if (session === null) {
      log.warn({ contaId, conector: lease.conector }, 'no connector of this type')
      await db.transaction(contaId, (tx) => unwantBot(tx, contaId, { esquecer: false }))
      return null
    }
    open.add(session)
    return session
  }

  const iniciar = async (session: BotSession): Promise<void> => {
    await options.taken(session.contaId)
    if (open.get(session.contaId) === session) await session.start()
  }

  const naoIniciou = (lease: Lease, error: unknown): null => {
    log.error({ err: error, contaId: lease.contaId }, 'bot not started')
    // A session that failed to start must not keep its lease. The next search retries it.
    open.ended(lease)
    return null
  }

  const tomarEAbrir = async (filtro: LeaseFilter): Promise<(BotSession | null)[]> => {
    const since = performance.now()
    const leases = await db.transaction(filtro.contaId ?? '*', (tx) => takeLeases(tx, node, filtro))
    // The first lease of an idle node starts the lease clock. Otherwise the last renewal counts.
    if (leases.length > 0 && open.all().length === 0) clock.renewedAt(since)
    return Promise.all(leases.map((lease) => abrir(lease).catch((error: unknown) => naoIniciou(lease, error))))
  }

  return {
    take: async (filtro) => {
      const tomada = tomarEAbrir(filtro)
      tomadas.add(tomada)
      const fresh = await tomada.finally(() => tomadas.delete(tomada))
      await Promise.all(
        fresh
          .filter((session) => session !== null)
          .map((session) => iniciar(session).catch((error: unknown) => naoIniciou(session.lease, error))),
      )
      return fresh.length
    },
    unlink: async (lease) => {
      const whatsapp = await options.whatsappOf(lease.contaId)
      // A session without a lease: never started, sends nothing.
      const calada = { ended: () => undefined, leaseValid: () => false }
      await createBotSession(deps, { ...options, ...calada, lease, whatsapp })?.end('esquecer')
    },
    stop: async () => {
      stopped = true
      await Promise.allSettled(tomadas)
    },
  }
}
