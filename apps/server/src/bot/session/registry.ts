import { every, type PeriodicTask } from '#lib/every.ts'
import { waitAtMost } from '#lib/time.ts'
import { type Lease, LEASES_PER_TAKE, listDisconnected, releaseLease } from '#modules/bot/index.ts'
import { mailMissedQuotaMarks } from '#modules/conversas/index.ts'
import { mailBotDisconnected } from '#modules/emails/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import type { SessionCount } from '#ports/bots.ts'
import { failExpired } from '#bot/outbox/delivery.ts'
import { LeaseClock, Leases, type LeasesOptions, type OpenSessions } from './leases.ts'
import type { BotSession } from './session.ts'

const RENEW_MS = 5_000
const SEARCH_MS = 3_000
const WATCH_MS = 1_000
const NOTIFY_MS = 60_000
const EXPIRE_MS = 60_000
/** How long a stop waits for a running renewal. It may hang on an unreachable database. */
const RENEWAL_MS = 1_000

export type SessionRegistryOptions = Omit<LeasesOptions, 'open' | 'clock'>

/** The sessions of this node, one per conta, and the periodic work on their leases. */
export class SessionRegistry implements OpenSessions {
  readonly #deps: BotDeps
  readonly #sentMarker: SessionRegistryOptions['sentMarker']
  readonly #announcer: SessionRegistryOptions['announcer']
  readonly #renewMs: number
  readonly #clock: LeaseClock
  readonly #leases: Leases
  readonly #sessions = new Map<string, BotSession>()
  #tasks: readonly PeriodicTask[] = []
  #renewal: PeriodicTask | null = null
  #stopped = false

  constructor(deps: BotDeps, options: SessionRegistryOptions) {
    this.#deps = deps
    this.#sentMarker = options.sentMarker
    this.#announcer = options.announcer
    this.#renewMs = deps.timings?.renewMs ?? RENEW_MS
    this.#clock = new LeaseClock(this.#renewMs)
    this.#leases = new Leases(deps, { ...options, open: this, clock: this.#clock })
  }

  readonly get = (contaId: string): BotSession | undefined => this.#sessions.get(contaId)

  readonly all = (): readonly BotSession[] => [...this.#sessions.values()]

  readonly add = (session: BotSession): void => {
    this.#sessions.set(session.contaId, session)
    this.#deps.metrics.countStart(session.lease.conector)
  }

  readonly counts = (): readonly SessionCount[] => {
    const byKind = Map.groupBy(this.#sessions.values(), ({ lease, linkState }) => `${lease.conector} ${linkState}`)
    return [...byKind.values()].flatMap((sessions) =>
      sessions
        .slice(0, 1)
        .map(({ lease, linkState }) => ({ conector: lease.conector, estado: linkState, quantos: sessions.length })),
    )
  }

  readonly ended = ({ contaId, epoca }: Pick<Lease, 'contaId' | 'epoca'>): void => {
    const session = this.#sessions.get(contaId)
    if (session?.lease.epoca !== epoca) return
    this.#sessions.delete(contaId)
    this.#close(session, 'fechar').catch((error: unknown) =>
      this.#deps.log.warn({ err: error, contaId }, 'lease not released, left to expire'),
    )
  }

  readonly release = async (contaId: string, mode: 'fechar' | 'esquecer'): Promise<void> => {
    const session = this.#sessions.get(contaId)
    if (session === undefined) return
    this.#sessions.delete(contaId)
    await this.#close(session, mode)
  }

  /** Opens the session of a conta that is wanted. */
  async take(contaId: string): Promise<void> {
    await this.#leases.take({ contaId, includeHeld: false })
  }

  unlink(lease: Lease): Promise<void> {
    return this.#leases.unlink(lease)
  }

  check(contaId: string): Promise<void> {
    return this.#leases.check(contaId)
  }

  readonly leasesAlive = (): boolean => this.#clock.alive()

  async start(): Promise<void> {
    const { timings, exclusive } = this.#deps
    let taken = await this.#leases.take({ includeHeld: exclusive })
    if (this.#stopped) return
    this.#clock.roundDone()
    this.#renewal = this.#every(this.#renewMs, () => this.#leases.renew())
    this.#tasks = [
      this.#renewal,
      this.#every(this.#renewMs, () => this.#leases.recoverOverdue()),
      this.#every(timings?.searchMs ?? SEARCH_MS, () => this.#leases.take({ includeHeld: false })),
      this.#every(WATCH_MS, () => this.#leases.watch()),
      this.#every(timings?.notifyMs ?? NOTIFY_MS, () => mailOwners(this.#deps)),
      this.#every(timings?.expireMs ?? EXPIRE_MS, () => this.#expire()),
    ]
    // A process that runs alone takes all remaining leases now. Otherwise they would look held until they expire.
    while (exclusive && taken === LEASES_PER_TAKE && !this.#stopped) {
      taken = await this.#leases.take({ includeHeld: true })
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    // Other running rounds are not awaited: a link that starts slowly must not delay the stop.
    for (const task of this.#tasks) void task.stop()
    await this.#leases.stop()
    await Promise.all(this.all().map(({ contaId }) => this.release(contaId, 'fechar')))
    // A renewal that waited for a release locks the released row, and the take of the next process skips locked rows.
    await waitAtMost(RENEWAL_MS, this.#renewal?.stop() ?? Promise.resolve())
  }

  #every(ms: number, task: () => Promise<unknown> | void): PeriodicTask {
    const failed = (error: unknown): void => this.#deps.log.error({ err: error }, 'session upkeep failed, retrying')
    return every({ ms, task, failed })
  }

  async #expire(): Promise<void> {
    for await (const { contaId, contatoId, mensagemId, reacao } of failExpired(this.#deps)) {
      this.get(contaId)?.drop({ contatoId, mensagemId })
      if (reacao === undefined) this.#announcer.changed(contaId, mensagemId)
      else this.#announcer.marked(contaId, reacao.mensagemId)
    }
  }

  async #close(session: BotSession, mode: 'fechar' | 'esquecer'): Promise<void> {
    const { contaId, lease } = session
    await session.end(mode)
    await this.#sentMarker.idle()
    const database = this.#stopped ? this.#deps.reservedDb : this.#deps.db
    await database.transaction(contaId, (tx) => releaseLease(tx, contaId, lease.epoca))
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
