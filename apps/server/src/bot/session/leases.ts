import { setTimeout as sleep } from 'node:timers/promises'
import { connectorsPairedBy } from '@balcao/contract/connectors'
import type { Config } from '@balcao/contract/entities/config'
import {
  countFree,
  countOneFree,
  countRefused,
  type HeldLease,
  type Lease,
  listHeldLeases,
  listHeldLeasesOf,
  releaseLeases,
  storeSilences,
  takeLeases,
  type TakeOptions,
} from '#modules/bot/index.ts'
import { runForRequest } from '#lib/context/current-request.ts'
import type { LeaseKey, LineKey } from '#ports/bots.ts'
import type { BotDeps } from '#bot/deps.ts'
import { BotSession, type SessionParts } from './session.ts'
import { fairShare, StartPace, surplusToMove } from './share.ts'

const MISSED_ROUNDS = 3
/** After this long without an answer of the database the links close. A service repeats messages on a new link. */
const UNREACHABLE_MS = 15_000
const BROWSER_CONNECTORS = connectorsPairedBy('browser')
const START_BURST = 20
const STARTS_PER_S = 10
/** After the death of a node its bots find a place before others move. */
const CALM_AFTER_LOSS_MS = 60_000
/** Bots that a leaving node gives away in a second, for each node that stays. */
const DRAINED_PER_S = 10

export interface OpenSessions {
  readonly get: (linhaId: string) => BotSession | undefined
  readonly all: () => readonly BotSession[]
  /** True while a session of the line ends and its lease is not free yet. */
  readonly closing: (linhaId: string) => boolean
  readonly add: (session: BotSession) => void
  /** Closes the session of this lease, but not a newer session of the same line. Does not wait. */
  readonly ended: (lease: LeaseKey) => void
  readonly release: (linhaId: string, mode: 'fechar' | 'esquecer') => Promise<void>
}

export interface LeasesOptions extends SessionParts {
  readonly open: OpenSessions
  readonly roundMs: number
  readonly whatsappOf: (contaId: string) => Promise<Config['whatsapp']>
  /** Called for each new lease, to take over the pending questions of a dead node. */
  readonly taken: (line: LineKey) => Promise<void>
}

export class Leases {
  readonly #deps: BotDeps
  readonly #options: LeasesOptions
  readonly #pace: StartPace
  /** Awaited on shutdown, so that this node keeps no lease without a session. */
  readonly #taking = new Set<Promise<unknown>>()
  #followedAt = -Infinity
  #stopped = false

  constructor(deps: BotDeps, options: LeasesOptions) {
    this.#deps = deps
    this.#options = options
    const perSecond = deps.timings?.startsPerS ?? STARTS_PER_S
    this.#pace = new StartPace({ burst: START_BURST, perSecond, now: performance.now() })
  }

  /** True when the last successful round is recent. False before the first one. */
  alive(): boolean {
    const { fleet } = this.#deps
    return fleet.alive() && performance.now() - this.#followedAt < MISSED_ROUNDS * this.#options.roundMs
  }

  /** Takes as many free bots as may start now. With other nodes, up to the fair share and what those leave. */
  async search(): Promise<void> {
    const max = this.#pace.available(performance.now())
    const quota = max === 0 ? null : await this.#quota(max)
    if (quota === null) return
    const sessions = await this.#take(quota)
    this.#pace.used(sessions.length)
    // Not awaited: a link that starts slowly must not delay the bots that become free meanwhile.
    void this.#startAll(sessions)
  }

  /** Takes the bot of one line if it is free, without regard to the share. */
  async take(line: LineKey): Promise<void> {
    await this.#startAll(await this.#take({ line, max: 1, fresh: true }))
  }

  /** Unlinks a phone whose credentials no session has. Does not reject when the phone cannot be reached. */
  async unlink(link: Omit<Lease, 'no'>): Promise<void> {
    const lease = { ...link, no: this.#deps.fleet.self }
    const whatsapp = await this.#options.whatsappOf(lease.contaId)
    await new BotSession(this.#deps, this.#options, { lease, whatsapp, ended: () => undefined }).end('esquecer')
  }

  /** Until it is settled, a round frees no lease without a session. */
  hold<T>(taking: Promise<T>): Promise<T> {
    this.#taking.add(taking)
    return taking.finally(() => this.#taking.delete(taking))
  }

  /**
   * Compares the sessions with the leases in the database, of one line or all: stops a session that was asked to stop,
   * closes one whose lease was lost and frees a lease without a session.
   */
  async follow(line?: LineKey): Promise<void> {
    const { open } = this.#options
    const { db, reservedDb, fleet } = this.#deps
    const sessions = line === undefined ? open.all() : [open.get(line.linhaId)].filter((one) => one !== undefined)
    const takingBefore = this.#taking.size > 0
    const no = fleet.self
    const held = await (line === undefined
      ? reservedDb.transaction('*', (tx) => listHeldLeases(tx, { no }), { oneTrip: true })
      : db.transaction(line.contaId, (tx) => listHeldLeasesOf(tx, { no, linhaId: line.linhaId }), { oneTrip: true }))
    const byLine = new Map(held.map((lease) => [lease.linhaId, lease]))
    for (const { lease } of sessions) this.#followOne(lease, byLine.get(lease.linhaId))
    if (line !== undefined) return
    // A bot that is being taken has a lease and no session yet.
    if (!takingBefore && this.#taking.size === 0) await this.#freeUnused(held)
    this.#followedAt = performance.now()
  }

  async check(line: LineKey): Promise<void> {
    const { open } = this.#options
    if (open.get(line.linhaId) === undefined) return
    await this.follow(line)
    await open.get(line.linhaId)?.recover()
  }

  async storeSilences(): Promise<void> {
    const links = this.#options.open.all().flatMap((session) => {
      const silenceMs = session.silenceMs()
      return silenceMs === null ? [] : [{ ...session.lease, silenceMs }]
    })
    if (links.length === 0) return
    await this.#deps.reservedDb.transaction('*', async (tx) => {
      const current = await storeSilences(tx, { i: links })
      if (current < links.length) await countRefused(tx, this.#deps, { kind: 'silencio', leases: links })
    })
  }

  /** Closes all sessions before another node may take their bots, for example without a database. */
  watch(): void {
    const { open } = this.#options
    const sessions = open.all()
    const limit = Math.max(UNREACHABLE_MS, MISSED_ROUNDS * this.#options.roundMs)
    const reached = performance.now() - this.#followedAt < limit
    if (sessions.length === 0 || (reached && this.#deps.fleet.mayHold())) return
    this.#deps.log.error({ sessoes: sessions.length }, 'leases not confirmed in time, all sessions closed')
    for (const { lease } of sessions) open.ended(lease)
  }

  async balance(): Promise<void> {
    const { reservedDb, fleet } = this.#deps
    const others = fleet.peers().map(({ sessoes }) => sessoes)
    if (others.length === 0 || performance.now() - fleet.lastLossAt() < CALM_AFTER_LOSS_MS) return
    const own = this.#options.open.all().length
    if (surplusToMove({ own, others, free: 0 }) === 0) return
    const free = await reservedDb.transaction('*', (tx) => countOneFree(tx, {}), { oneTrip: true })
    await this.#giveAway(surplusToMove({ own, others, free }))
  }

  /** Gives all bots away in waves while other nodes can take them, at most for `ms`. */
  async drain(ms: number): Promise<void> {
    const { fleet } = this.#deps
    const until = performance.now() + ms
    while (fleet.peers().length > 0 && this.#movable().length > 0 && performance.now() < until) {
      const wave = sleep(1_000)
      await this.#giveAway(DRAINED_PER_S * fleet.peers().length)
      await wave
    }
  }

  /** Stops taking leases. Resolves when sessions being opened are open or released. */
  async stop(): Promise<void> {
    this.#stopped = true
    await Promise.allSettled(this.#taking)
  }

  async #quota(max: number): Promise<TakeOptions | null> {
    const { reservedDb, fleet } = this.#deps
    const others = fleet.peers().map(({ sessoes }) => sessoes)
    const free = await reservedDb.transaction('*', (tx) => countFree(tx, {}), { oneTrip: true })
    if (free === 0) return null
    const own = this.#options.open.all().length
    const missing = fairShare({ own, others, free }) - own
    return { line: null, ...(missing > 0 ? { max: Math.min(max, missing), fresh: true } : { max, fresh: false }) }
  }

  #take(options: TakeOptions): Promise<(BotSession | null)[]> {
    return this.hold(this.#takeAndOpen(options))
  }

  /** Never rejects. Resolves when each session is started or given up. */
  async #startAll(sessions: readonly (BotSession | null)[]): Promise<void> {
    const start = (session: BotSession): Promise<unknown> =>
      runForRequest(undefined, () => this.#start(session)).catch((error: unknown) =>
        this.#notStarted(session.lease, error),
      )
    await Promise.all(sessions.filter((session) => session !== null).map(start))
  }

  async #takeAndOpen(options: TakeOptions): Promise<(BotSession | null)[]> {
    const { db, reservedDb, fleet, crashPoint } = this.#deps
    // A take for one line is the work of a request. All other takes run one after another.
    const { line, max, fresh } = options
    const database = line === null ? reservedDb : db
    const take = { linhaId: line?.linhaId ?? null, max, fresh, no: fleet.self }
    const leases = await database.transaction(line?.contaId ?? '*', (tx) => takeLeases(tx, take))
    if (leases.length > 0) crashPoint('lease.tomado')
    return Promise.all(
      leases.map((lease) => this.#open(lease).catch((error: unknown) => this.#notStarted(lease, error))),
    )
  }

  /** Creates the session of a lease without starting it. Null when there is none to run. */
  async #open(lease: Lease): Promise<BotSession | null> {
    const { open, whatsappOf } = this.#options
    const previous = open.get(lease.linhaId)
    if (previous !== undefined) open.ended(previous.lease)
    const whatsapp = await whatsappOf(lease.contaId)
    if (this.#stopped) {
      // The node is stopping: the bot stays wanted and the lease is free for another node.
      await this.#deps.reservedDb.transaction(lease.contaId, (tx) => releaseLeases(tx, { i: [lease] }))
      return null
    }
    // A link outlives the request that started the bot.
    const session = runForRequest(
      undefined,
      () => new BotSession(this.#deps, this.#options, { lease, whatsapp, ended: open.ended }),
    )
    open.add(session)
    return session
  }

  async #start(session: BotSession): Promise<void> {
    const { open, taken } = this.#options
    await taken(session.lease)
    if (open.get(session.lease.linhaId) === session) await session.start()
  }

  #notStarted(lease: Lease, error: unknown): null {
    const { contaId, linhaId } = lease
    this.#deps.log.error({ err: error, contaId, linhaId }, 'bot not started')
    // A session that failed to start must not keep its lease. The next search retries it.
    this.#options.open.ended(lease)
    return null
  }

  #followOne(mine: LeaseKey, held: HeldLease | undefined): void {
    const { open } = this.#options
    const { log } = this.#deps
    const { contaId, linhaId } = mine
    if (open.get(linhaId)?.lease.epoca !== mine.epoca) return
    if (held?.epoca !== mine.epoca) {
      log.warn({ contaId, linhaId }, 'lease lost, session closed')
      open.ended(mine)
    } else if (held.parada) {
      // Not awaited, because a link that closes slowly must not delay the others.
      this.#obey(held).catch((error: unknown) => log.error({ err: error, contaId, linhaId }, 'bot not stopped'))
    }
  }

  async #obey({ contaId, linhaId, desejado, esquecida }: HeldLease): Promise<void> {
    await this.#options.open.release(linhaId, esquecida ? 'esquecer' : 'fechar')
    if (desejado) await this.take({ contaId, linhaId })
  }

  /** Frees leases whose session ended while the database could not be reached. */
  async #freeUnused(held: readonly HeldLease[]): Promise<void> {
    const { open } = this.#options
    const unused = held.filter(({ linhaId }) => open.get(linhaId) === undefined && !open.closing(linhaId))
    if (unused.length === 0) return
    this.#deps.log.warn({ bots: unused.length }, 'leases without a session freed')
    await this.#deps.reservedDb.transaction('*', (tx) => releaseLeases(tx, { i: unused }))
  }

  async #giveAway(count: number): Promise<void> {
    const moved = this.#movable().slice(0, count)
    if (moved.length > 0) this.#deps.log.info({ bots: moved.length }, 'bots given to other nodes')
    await Promise.all(moved.map(({ lease }) => this.#options.open.release(lease.linhaId, 'fechar')))
  }

  /** The sessions that another machine can open, idle ones first. A browser's profile is on this one. */
  #movable(): readonly BotSession[] {
    return this.#options.open
      .all()
      .filter(({ lease }) => !BROWSER_CONNECTORS.includes(lease.conector))
      .toSorted((one, other) => Number(one.sending) - Number(other.sending))
  }
}
