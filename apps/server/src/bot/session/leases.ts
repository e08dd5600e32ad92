import type { Config } from '@balcao/contract/entities/config'
import { listOverdueContas, listOverdueQuestions, type PendingQuestion } from '#modules/conversas/index.ts'
import {
  type Lease,
  LEASE_S,
  type LeaseToRenew,
  releaseLease,
  type RenewedLease,
  renewLeases,
  takeLeases,
} from '#modules/bot/index.ts'
import type { BotDeps } from '#bot/deps.ts'
import { BotSession, type SessionParts } from './session.ts'

/** Missed rounds after which the renewals count as stuck. */
const MISSED_ROUNDS = 3
/** This node stops sending 3 s before its lease expires in the database. */
const MARGIN_MS = 3_000
/** A question that is this late has failed or was never scheduled: a commit may succeed without its answer. */
const QUESTION_OVERDUE_MS = 60_000

/** Tracks on the local clock how long this node's leases are valid, because the database may be unreachable. */
export class LeaseClock {
  readonly #renewMs: number
  #validUntil = 0
  #roundAt = -Infinity

  constructor(renewMs: number) {
    this.#renewMs = renewMs
  }

  renewedAt(since: number): void {
    this.#validUntil = since + LEASE_S * 1_000 - MARGIN_MS
  }

  readonly valid = (): boolean => performance.now() < this.#validUntil

  roundDone(): void {
    this.#roundAt = performance.now()
  }

  /** True when the last successful round is recent. False before the first one. */
  readonly alive = (): boolean => performance.now() - this.#roundAt < MISSED_ROUNDS * this.#renewMs
}

/** Selects one conta or any. `includeHeld` also takes unexpired leases of a dead process. */
export interface LeaseFilter {
  readonly contaId?: string
  readonly includeHeld: boolean
}

/** The open sessions of this node. */
export interface OpenSessions {
  readonly get: (contaId: string) => BotSession | undefined
  readonly all: () => readonly BotSession[]
  readonly add: (session: BotSession) => void
  /** Closes the session of this lease, but not a newer session of the same conta. Does not wait. */
  readonly ended: (lease: Pick<Lease, 'contaId' | 'epoca'>) => void
  readonly release: (contaId: string, mode: 'fechar' | 'esquecer') => Promise<void>
}

export interface LeasesOptions extends SessionParts {
  readonly open: OpenSessions
  readonly clock: LeaseClock
  readonly whatsappOf: (contaId: string) => Promise<Config['whatsapp']>
  /** Called for each new lease, to take over the pending questions of a dead node. */
  readonly taken: (contaId: string) => Promise<void>
  /** Called with the stored questions to the AI that are overdue. */
  readonly questionsOverdue: (questions: readonly PendingQuestion[]) => void
}

/** Takes and renews the leases of this node and opens their sessions. */
export class Leases {
  readonly #deps: BotDeps
  readonly #options: LeasesOptions
  /** Awaited on shutdown, so that this node keeps no lease without a session. */
  readonly #taking = new Set<Promise<unknown>>()
  #stopped = false

  constructor(deps: BotDeps, options: LeasesOptions) {
    this.#deps = deps
    this.#options = options
  }

  /** Takes leases, opens and starts their sessions. Returns how many leases it took. */
  async take(filter: LeaseFilter): Promise<number> {
    const taking = this.#takeAndOpen(filter)
    this.#taking.add(taking)
    const sessions = await taking.finally(() => this.#taking.delete(taking))
    await Promise.all(
      sessions
        .filter((session) => session !== null)
        .map((session) => this.#start(session).catch((error: unknown) => this.#notStarted(session.lease, error))),
    )
    return sessions.length
  }

  /** Unlinks a phone whose credentials no session holds. Does not reject when the phone cannot be reached. */
  async unlink(lease: Lease): Promise<void> {
    const whatsapp = await this.#options.whatsappOf(lease.contaId)
    // A session without a lease: never started, sends nothing.
    const unleased = { ended: () => undefined, leaseValid: () => false }
    await new BotSession(this.#deps, this.#options, { ...unleased, lease, whatsapp }).end('esquecer')
  }

  async renew(): Promise<void> {
    const { open, clock } = this.#options
    const { reservedDb, node } = this.#deps
    const mine = open.all().map(toLeaseToRenew)
    if (mine.length > 0) {
      const since = performance.now()
      const renewed = await reservedDb.transaction('*', (tx) => renewLeases(tx, node, mine))
      clock.renewedAt(since)
      const byConta = new Map(renewed.map((lease) => [lease.contaId, lease]))
      for (const lease of mine) this.#follow(lease, byConta.get(lease.contaId))
    }
    clock.roundDone()
  }

  /** Checks one conta after a bus event: stops its session, or loads new rows of `saida`. */
  async check(contaId: string): Promise<void> {
    const { open } = this.#options
    const { db, node } = this.#deps
    const session = open.get(contaId)
    if (session === undefined) return
    const [renewed] = await db.transaction(contaId, (tx) => renewLeases(tx, node, [toLeaseToRenew(session)]))
    if (renewed === undefined) return open.ended(session.lease)
    if (renewed.parada) await this.#obey(session.lease, renewed)
    else await session.recover()
  }

  /** Loads overdue rows of `saida` and overdue questions to the AI. Not part of a renewal, because it waits for a connection of the pool. */
  async recoverOverdue(): Promise<void> {
    const { open, questionsOverdue } = this.#options
    const { db, log, clock } = this.#deps
    const contas = open.all().map(({ contaId }) => contaId)
    if (contas.length === 0) return
    const until = new Date(clock.now().getTime() - QUESTION_OVERDUE_MS)
    const overdue = await db.transaction('*', async (tx) => ({
      contas: await listOverdueContas(tx, contas),
      questions: await listOverdueQuestions(tx, { contas, until }),
    }))
    questionsOverdue(overdue.questions)
    for (const contaId of overdue.contas) {
      // An error of one conta must not stop the others.
      await open
        .get(contaId)
        ?.recover()
        .catch((error: unknown) => log.error({ err: error, contaId }, 'pending messages not read'))
    }
  }

  /** Closes all sessions when their leases may have expired, for example without a database. */
  watch(): void {
    const { open, clock } = this.#options
    const sessions = open.all()
    if (sessions.length === 0 || clock.valid()) return
    this.#deps.log.error({ sessoes: sessions.length }, 'leases not renewed in time, all sessions closed')
    for (const { lease } of sessions) open.ended(lease)
  }

  /** Stops taking leases. Resolves when sessions being opened are open or released. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.allSettled(this.#taking)
  }

  async #takeAndOpen(filter: LeaseFilter): Promise<(BotSession | null)[]> {
    const { open, clock } = this.#options
    const { db, reservedDb, node } = this.#deps
    const since = performance.now()
    // A take for one conta is the work of a request. All other takes run one after another.
    const database = filter.contaId === undefined ? reservedDb : db
    const leases = await database.transaction(filter.contaId ?? '*', (tx) => takeLeases(tx, node, filter))
    // The first lease of an idle node starts the lease clock. Otherwise the last renewal counts.
    if (leases.length > 0 && open.all().length === 0) clock.renewedAt(since)
    return Promise.all(
      leases.map((lease) => this.#open(lease).catch((error: unknown) => this.#notStarted(lease, error))),
    )
  }

  /** Creates the session of a lease without starting it. Null when there is none to run. */
  async #open(lease: Lease): Promise<BotSession | null> {
    const { open, clock, whatsappOf } = this.#options
    const { reservedDb } = this.#deps
    const { contaId } = lease
    const previous = open.get(contaId)
    if (previous !== undefined) open.ended(previous.lease)
    const whatsapp = await whatsappOf(contaId)
    if (this.#stopped) {
      // The node is stopping: the bot stays wanted and the lease is free for another node.
      await reservedDb.transaction(contaId, (tx) => releaseLease(tx, contaId, lease.epoca))
      return null
    }
    const { ended } = open
    const session = new BotSession(this.#deps, this.#options, { lease, whatsapp, ended, leaseValid: clock.valid })
    open.add(session)
    return session
  }

  async #start(session: BotSession): Promise<void> {
    const { open, taken } = this.#options
    await taken(session.contaId)
    if (open.get(session.contaId) === session) await session.start()
  }

  #notStarted(lease: Lease, error: unknown): null {
    this.#deps.log.error({ err: error, contaId: lease.contaId }, 'bot not started')
    // A session that failed to start must not keep its lease. The next search retries it.
    this.#options.open.ended(lease)
    return null
  }

  #follow(mine: LeaseToRenew, renewed: RenewedLease | undefined): void {
    const { contaId } = mine
    const { log } = this.#deps
    if (renewed === undefined) {
      log.warn({ contaId }, 'lease lost, session closed')
      this.#options.open.ended(mine)
    } else if (renewed.parada) {
      // Not awaited, because a link that closes slowly must not delay the other renewals.
      this.#obey(mine, renewed).catch((error: unknown) => log.error({ err: error, contaId }, 'bot not stopped'))
    }
  }

  /** Closes a session that was asked to stop. Opens a new one if the bot has been started again since. */
  async #obey({ epoca }: Pick<Lease, 'epoca'>, { contaId, desejado, esquecida }: RenewedLease): Promise<void> {
    const { open } = this.#options
    if (open.get(contaId)?.lease.epoca !== epoca) return
    await open.release(contaId, esquecida ? 'esquecer' : 'fechar')
    if (desejado) await this.take({ contaId, includeHeld: false })
  }
}

function toLeaseToRenew(session: BotSession): LeaseToRenew {
  return { ...session.lease, silenceMs: session.silenceMs() }
}
