import { setTimeout as sleep } from 'node:timers/promises'
import { every, type PeriodicTask } from '#lib/every.ts'
import {
  forgetLink,
  type Lease,
  listDisconnected,
  markMachineMissing,
  releaseLeases,
  takeDeleted,
} from '#modules/bot/index.ts'
import { mailMissedQuotaMarks } from '#modules/emails/index.ts'
import { tellMissedBudgets } from '#modules/ia/index.ts'
import { mailBotDisconnected } from '#modules/emails/index.ts'
import { changedIdOf } from '#modules/mensagens/index.ts'
import type { BotDeps, BotTimings, LeavingPlan } from '#bot/deps.ts'
import type { FailedOutboxItem, LeaseKey, LineKey, SessionCount } from '#ports/bots.ts'
import { failExpired } from '#bot/outbox/delivery.ts'
import { Leases, type LeasesOptions, type OpenSessions } from './leases.ts'
import type { BotSession } from './session.ts'

const FOLLOW_MS = 2_000
const WATCH_MS = 250
const SILENCE_MS = 5_000
const DEFAULT_TIMES: BotTimings &
  Record<'searchMs' | 'balanceMs' | 'notifyMs' | 'expireMs' | 'machinesMs' | 'unlinkMs', number> = {
  ...{ searchMs: 1_000, balanceMs: 10_000, notifyMs: 60_000, expireMs: 60_000, machinesMs: 5_000 },
  unlinkMs: 30_000,
}

export type SessionRegistryOptions = Omit<LeasesOptions, 'open' | 'roundMs' | 'reopen'>

export class SessionRegistry implements OpenSessions {
  readonly #deps: BotDeps
  readonly #sentMarker: SessionRegistryOptions['sentMarker']
  readonly #announcer: SessionRegistryOptions['announcer']
  readonly #events: SessionRegistryOptions['events']
  readonly #roundMs: number
  readonly #leases: Leases
  readonly #sessions = new Map<string, BotSession>()
  readonly #closing = new Set<BotSession>()
  #tasks: readonly PeriodicTask[] = []
  #stopped = false

  constructor(deps: BotDeps, options: SessionRegistryOptions) {
    this.#deps = deps
    this.#sentMarker = options.sentMarker
    this.#announcer = options.announcer
    this.#events = options.events
    this.#roundMs = deps.timings?.renewMs ?? FOLLOW_MS
    this.#leases = new Leases(deps, { ...options, reopen: this.#reopen, open: this, roundMs: this.#roundMs })
  }

  readonly get = (linhaId: string): BotSession | undefined => this.#sessions.get(linhaId)

  readonly all = (): readonly BotSession[] => [...this.#sessions.values()]

  readonly ofConta = (contaId: string): readonly BotSession[] =>
    this.all().filter((session) => session.contaId === contaId)

  readonly closing = (linhaId: string): boolean => [...this.#closing].some(({ lease }) => lease.linhaId === linhaId)

  readonly add = (session: BotSession): void => {
    this.#sessions.set(session.lease.linhaId, session)
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

  readonly ended = ({ contaId, linhaId, epoca }: LeaseKey): void => {
    const session = this.#sessions.get(linhaId)
    if (session?.lease.epoca !== epoca) return
    this.#sessions.delete(linhaId)
    this.#close(session, 'fechar').catch((error: unknown) =>
      this.#deps.log.warn({ err: error, contaId, linhaId }, 'lease not released, trying again'),
    )
  }

  readonly release = async (linhaId: string, mode: 'fechar' | 'esquecer'): Promise<void> => {
    const session = this.#sessions.get(linhaId)
    if (session === undefined) return
    this.#sessions.delete(linhaId)
    await this.#close(session, mode)
  }

  async take(line: LineKey): Promise<void> {
    await this.#leases.take(line)
  }

  unlink(link: Omit<Lease, 'no'>): Promise<void> {
    return this.#leases.unlink(link)
  }

  /** The session on another node ends with its next round. */
  async unlinkDeleted(linhaId: string): Promise<void> {
    await this.release(linhaId, 'esquecer')
    await this.#unlinkLeft()
  }

  check(line: LineKey): Promise<void> {
    return this.#leases.check(line)
  }

  readonly #reopen = ({ contaId, linhaId, epoca }: LeaseKey): void => {
    if (this.#sessions.get(linhaId)?.lease.epoca !== epoca) return
    const { log } = this.#deps
    log.warn({ contaId, linhaId }, 'link without answers, opened again')
    this.release(linhaId, 'fechar')
      .then(() => this.take({ contaId, linhaId }))
      .catch((error: unknown) =>
        log.error({ err: error, contaId, linhaId }, 'link not opened again, left to the next search'),
      )
  }

  readonly leasesAlive = (): boolean => this.#leases.alive()

  async start(): Promise<void> {
    const leases = this.#leases
    await leases.search()
    await leases.follow()
    if (this.#stopped) return
    const times = { ...DEFAULT_TIMES, ...this.#deps.timings }
    this.#tasks = [
      this.#every(this.#roundMs, () => leases.follow()),
      this.#every(WATCH_MS, () => leases.watch()),
      this.#every(times.searchMs, () => leases.search()),
      this.#every(times.balanceMs, () => leases.balance()),
      this.#every(times.unlinkMs, () => this.#unlinkLeft()),
      this.#every(times.renewMs ?? SILENCE_MS, () => leases.storeSilences()),
      this.#everyOnOneNode('avisos', times.notifyMs, () => mailOwners(this.#deps)),
      this.#everyOnOneNode('maquinas', times.machinesMs, () => this.#markMissingMachines()),
      this.#everyOnOneNode('vencidas', times.expireMs, () => this.#expire()),
    ]
  }

  async leave({ waitMs, drainMs }: LeavingPlan = { waitMs: 0, drainMs: 0 }): Promise<void> {
    if (waitMs + drainMs === 0) return
    await this.#deps.fleet.startLeaving()
    await sleep(waitMs)
    await this.#leases.drain(drainMs)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    // Running rounds are not awaited: a link that starts slowly must not delay the stop.
    for (const task of this.#tasks) void task.stop()
    await this.#leases.stop()
    await Promise.all(this.all().map(({ lease }) => this.release(lease.linhaId, 'fechar')))
  }

  #every(ms: number, task: () => Promise<unknown> | void): PeriodicTask {
    const failed = (error: unknown): void => this.#deps.log.error({ err: error }, 'session upkeep failed, retrying')
    return every({ ms, task, failed })
  }

  #everyOnOneNode(name: string, ms: number, task: () => Promise<unknown>): PeriodicTask {
    const failed = (error: unknown): void => this.#deps.log.error({ err: error, name }, 'task failed, retrying')
    const run = this.#deps.leader?.every ?? every
    return run({ name, ms, task, failed })
  }

  async #markMissingMachines(): Promise<void> {
    for (const line of await this.#deps.db.transaction('*', (tx) => markMachineMissing(tx, {}))) {
      await this.#events.statusChanged(line, { status: 'ERRO', motivo: 'maquinaFora' })
      await this.#events.publish(line)
    }
  }

  /** Publishes a message that failed. The session of another node looks up a message that waited before it sends it. */
  dropFailed({ contaId, contatoId, mensagemId, ...change }: FailedOutboxItem): void {
    for (const session of this.ofConta(contaId)) session.drop({ contatoId, mensagemId })
    const changed = changedIdOf(change)
    if (changed === undefined) this.#announcer.changed(contaId, mensagemId)
    else this.#announcer.marked(contaId, changed)
  }

  async #expire(): Promise<void> {
    for await (const failed of failExpired(this.#deps)) this.dropFailed(failed)
  }

  /** Unlinks the phones of deleted lines that no node has, as after a crash. */
  #unlinkLeft(): Promise<void> {
    const { db, fleet } = this.#deps
    const unlinkAll = async (): Promise<void> => {
      for (const lease of await db.transaction('*', (tx) => takeDeleted(tx, { no: fleet.self }))) {
        await this.unlink(lease)
        await db.transaction(lease.contaId, async (tx) => {
          await forgetLink(tx, lease)
          await releaseLeases(tx, { i: [lease] })
        })
      }
    }
    return this.#leases.hold(unlinkAll())
  }

  async #close(session: BotSession, mode: 'fechar' | 'esquecer'): Promise<void> {
    this.#closing.add(session)
    try {
      await session.end(mode)
      await this.#sentMarker.idle()
      const database = this.#stopped ? this.#deps.reservedDb : this.#deps.db
      await database.transaction(session.contaId, async (tx) => {
        if (mode === 'esquecer') await forgetLink(tx, session.lease)
        await releaseLeases(tx, { i: [session.lease] })
      })
    } finally {
      this.#closing.delete(session)
    }
  }
}

/**
 * Queues e-mails about lost connections, daily limits and used budgets. Each e-mail has a unique key, so several nodes queue it
 * once.
 */
async function mailOwners(deps: BotDeps): Promise<void> {
  for (const { desde, ...line } of await deps.db.transaction('*', (tx) => listDisconnected(tx, {}))) {
    await deps.db.transaction(line.contaId, (tx) => mailBotDisconnected(tx, deps, line, desde))
  }
  await mailMissedQuotaMarks(deps)
  await tellMissedBudgets(deps)
}
