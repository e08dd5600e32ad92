import { hostname } from 'node:os'
import type { Client } from 'pg'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'
import { endConnections } from '#db/nodes/direct-connection.ts'
import { folderId, machineId } from '#db/nodes/place-id.ts'
import type { Deps } from '#deps.ts'
import type { CrashPoints } from '#lib/crash-points.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import type { Bots } from '#ports/bots.ts'
import type { NodeLease } from '#ports/bus.ts'
import {
  condemnNodes,
  condemnPredecessors,
  deleteNode,
  deleteOldNodes,
  insertNode,
  listOthers,
  type NewNode,
  type NodeReading,
  type OtherNode,
  renewNode,
} from './repository.ts'
import { RowWatch } from './row-watch.ts'
import { Twins } from './twins.ts'

const RENEW_MS = 2_000
const LOOK_MS = 1_000
/** Without other nodes only the administration reads the row. */
const ALONE_RENEW_MS = 30_000
/** After the last renewal began: no more sends, and all links closed. Another node may take the bots after 10 s. */
const SILENT_MS = 7_000
const CLOSED_MS = 9_000
const MISSED_RENEWALS = 3
/** A round that took longer says too little about the moment of its rows. */
const SLOW_ROUND_MS = 1_000

type RegistryDeps = Pick<Deps, 'reservedDb' | 'clock' | 'log' | 'metrics' | 'settings'>

export interface RegistryOptions {
  readonly id: string
  readonly bus: {
    readonly sent: () => number
    readonly lastFrom?: (node: string) => Date | null
    readonly compare: (others: readonly { readonly id: string; readonly recado: number }[]) => void
  }
  /** No other process can use the database. Default: false. */
  readonly exclusive?: boolean
  readonly crashPoint?: CrashPoints
  readonly condemned?: () => void
  readonly connectDirect?: () => Promise<Client>
  readonly nodeRoundMs?: number
  readonly nodeName?: string
  readonly sessions: Bots['sessions']
}

/**
 * Keeps the row of this process in `nos` and watches the rows of the others. A row that is not renewed in time is
 * condemned, and its process must not work any more.
 */
export class NodeRegistry implements NodeLease {
  readonly self: string
  readonly #deps: RegistryDeps
  readonly #options: RegistryOptions
  readonly #row: NewNode
  readonly #leftListeners = new Set<(node: string) => void>()
  readonly #watch = new RowWatch()
  #others: readonly OtherNode[] = []
  #overdue: ReadonlySet<string> = new Set()
  #task: PeriodicTask | null = null
  /** Start of the last successful renewal, by the monotonic clock. */
  #renewedAt = -Infinity
  #lastLossAt = -Infinity
  #leaving = false
  #condemned = false
  #joinedAt = Infinity

  constructor(deps: RegistryDeps, options: RegistryOptions) {
    this.self = options.id
    this.#deps = deps
    this.#options = options
    this.#row = {
      id: options.id,
      nome: options.nodeName ?? `${hostname()} · ${process.pid}`,
      versao: VERSAO_PRODUTO,
      node: process.version,
      iniciadoEm: deps.clock.now(),
      pasta: folderId(deps.settings.dataDir),
      maquina: machineId(),
    }
  }

  others(): readonly string[] {
    return this.#others.map(({ id }) => id)
  }

  onLeft(listener: (node: string) => void): () => void {
    this.#leftListeners.add(listener)
    return () => void this.#leftListeners.delete(listener)
  }

  readonly heardFrom = (node: string): Date | null => this.#options.bus.lastFrom?.(node) ?? null

  leaseAgeS(): number {
    return this.#alone() ? Infinity : this.#sinceRenewal() / 1_000
  }

  peers(): readonly { readonly id: string; readonly sessoes: number }[] {
    return this.#others.filter(({ id, saindo }) => !saindo && !this.#overdue.has(id))
  }

  lastLossAt(): number {
    return this.#lastLossAt
  }

  alive(): boolean {
    return !this.#leaving && this.#sinceRenewal() < MISSED_RENEWALS * this.#renewMs()
  }

  maySend(): boolean {
    return this.#alone() || this.#sinceRenewal() < SILENT_MS
  }

  mayHold(): boolean {
    return this.#alone() || this.#sinceRenewal() < CLOSED_MS
  }

  /** Throws a Portuguese sentence if a living node has a copy of this data folder. Then no row is left. */
  async join(): Promise<void> {
    const client = await this.#options.connectDirect?.()
    try {
      const watchMs = MISSED_RENEWALS * this.#renewMs()
      await this.#insert(client === undefined ? null : new Twins({ client, node: this.#row, watchMs }))
    } finally {
      client?.end().catch(() => undefined)
    }
    await this.#renew()
    this.#joinedAt = performance.now()
    const failed = (error: unknown): void => {
      this.#watch.interrupted()
      this.#deps.log.error({ err: error }, 'row of this node not renewed, retrying')
    }
    const ms = Math.min(this.#renewMs(), this.#alone() ? ALONE_RENEW_MS : LOOK_MS)
    this.#task = every({ ms, task: () => this.#round(), failed })
  }

  async #insert(twins: Twins | null): Promise<void> {
    const { reservedDb } = this.#deps
    const ended = twins === null ? (this.#alone() ? null : []) : await twins.findDead()
    await reservedDb.transaction([], async (tx) => {
      await insertNode(tx, { ...this.#row, ...this.#reading() })
      await condemnPredecessors(tx, { ...this.#row, ended })
      await deleteOldNodes(tx, {})
    })
    try {
      await twins?.requireNoNewcomer()
    } catch (error) {
      await reservedDb.transaction([], (tx) => deleteNode(tx, { id: this.self }))
      throw error
    }
  }

  /** True when all others have read the row of this node since it joined, so revoked logins wait for its answer. */
  readonly known = (): boolean => this.#alone() || performance.now() - this.#joinedAt > 2 * this.#renewMs()

  async startLeaving(): Promise<void> {
    this.#leaving = true
    await this.#renew()
  }

  async leave(): Promise<void> {
    if (this.#task === null) return
    await this.#task.stop()
    this.#task = null
    await this.#deps.reservedDb.transaction([], (tx) => deleteNode(tx, { id: this.self }))
  }

  async #round(): Promise<void> {
    if (this.#sinceRenewal() >= this.#renewMs() - LOOK_MS / 2) return this.#renew()
    if (this.#others.length === 0) return
    const startedAt = performance.now()
    await this.#judge(
      await this.#deps.reservedDb.transaction([], (tx) => listOthers(tx, { id: this.self }), { oneTrip: true }),
      startedAt,
    )
  }

  async #renew(): Promise<void> {
    const startedAt = performance.now()
    const { now, others } = await this.#deps.reservedDb.transaction([], async (tx) => {
      const renewed = await renewNode(tx, { id: this.self, ...this.#reading() })
      this.#options.crashPoint?.('lease.renovar')
      if (renewed !== null) this.#deps.clock.observe?.(renewed.agora, startedAt)
      return { now: renewed, others: await listOthers(tx, { id: this.self }) }
    })
    if (now === null) return this.#wasCondemned()
    if (!this.#condemned) this.#renewedAt = startedAt
    await this.#judge(others, startedAt)
  }

  /** A slow round means that the database was away, so the others could not renew either. */
  async #judge(others: readonly OtherNode[], startedAt: number): Promise<void> {
    const now = performance.now()
    if (now - startedAt > SLOW_ROUND_MS) this.#watch.interrupted()
    const overdue = this.#watch.overdue(others, now)
    this.#overdue = new Set(overdue.map(({ id }) => id))
    const dead = await this.#condemn(overdue)
    this.#replaceOthers(others.filter(({ id }) => !dead.includes(id)))
  }

  #alone(): boolean {
    return this.#options.exclusive ?? false
  }

  #renewMs(): number {
    return this.#options.nodeRoundMs ?? (this.#alone() ? ALONE_RENEW_MS : RENEW_MS)
  }

  #sinceRenewal(): number {
    return performance.now() - this.#renewedAt
  }

  async #condemn(overdue: readonly OtherNode[]): Promise<readonly string[]> {
    if (overdue.length === 0) return []
    const condemned = await this.#deps.reservedDb.transaction([], (tx) => condemnNodes(tx, { i: overdue }))
    const dead = condemned.map(({ id }) => id)
    this.#deps.metrics.countCondemned(dead.length)
    for (const node of dead) {
      this.#lastLossAt = performance.now()
      this.#deps.log.warn({ morto: node }, 'node found dead')
      await endConnections(node, this.#options.connectDirect).catch((error: unknown) => {
        this.#deps.log.warn({ err: error, morto: node }, 'connections of a dead node not ended')
      })
    }
    return dead
  }

  #replaceOthers(others: readonly OtherNode[]): void {
    const left = this.#others.filter(({ id }) => !others.some((other) => other.id === id))
    this.#others = others
    this.#options.bus.compare(others)
    for (const { id } of left) for (const listener of this.#leftListeners) listener(id)
  }

  #wasCondemned(): void {
    if (this.#condemned) return
    this.#condemned = true
    this.#renewedAt = -Infinity
    this.#options.condemned?.()
  }

  #reading(): NodeReading {
    const { bus, sessions } = this.#options
    return {
      ...{ memoria: process.memoryUsage.rss(), cpu: this.#deps.metrics.cpuPercent() },
      ...{
        recado: bus.sent(),
        sessoes: sessions().reduce((sum, { quantos }) => sum + quantos, 0),
        saindo: this.#leaving,
      },
    }
  }
}
