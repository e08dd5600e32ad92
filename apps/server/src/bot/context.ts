import { LRUCache } from 'lru-cache'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { contextOfLine, loadAccountContext, type AccountContext, type AccountContextDeps } from '#modules/ia/index.ts'
import type { LocatedTurn, Turn } from '#bot/turn/types.ts'

const CONTAS_CACHED = 5_000
/** Limits how long the status of the bot is outdated when the bus event of another node is lost. Messages read the version. */
const TTL_MS = 15_000

interface CachedContext {
  readonly loading: Promise<AccountContext>
  loaded: AccountContext | null
}

export class AccountContexts {
  readonly #deps: Pick<Deps, 'db'> & AccountContextDeps
  /** `ttlResolution: 0`, because the library otherwise starts a timer for its clock. */
  readonly #cache = new LRUCache<string, CachedContext>({ max: CONTAS_CACHED, ttl: TTL_MS, ttlResolution: 0 })

  constructor(deps: Pick<Deps, 'db'> & AccountContextDeps) {
    this.#deps = deps
  }

  get(contaId: string): Promise<AccountContext> {
    return (this.#current(contaId) ?? this.#load(contaId)).loading
  }

  /**
   * For callers inside a transaction: reads on the same connection, because waiting for a second one could deadlock
   * the pool. A second connection fills the cache meanwhile, for later callers.
   */
  async getIn(tx: Tx, contaId: string): Promise<AccountContext> {
    const cached = this.#current(contaId) ?? this.#load(contaId)
    return cached.loaded ?? loadAccountContext(tx, this.#deps, contaId)
  }

  async getAt(contaId: string, version: number): Promise<AccountContext> {
    const context = await this.get(contaId)
    if (context.contextVersion >= version) return context
    this.changed(contaId)
    return this.get(contaId)
  }

  /**
   * Loads the contexts whose stored version moved, on the connection of the caller. Does not cache them, because the
   * transaction may be rolled back.
   */
  async reloadIn(
    tx: Tx,
    used: readonly { readonly context: AccountContext; readonly storedVersion: number }[],
  ): Promise<ReadonlyMap<string, AccountContext>> {
    const moved = new Map<string, AccountContext>()
    for (const { context, storedVersion } of used) {
      const { contaId, contextVersion } = context
      if (storedVersion === contextVersion || moved.has(contaId)) continue
      this.changed(contaId)
      moved.set(contaId, await loadAccountContext(tx, this.#deps, contaId))
    }
    return moved
  }

  /** Adds its context to each turn. Rejects and leaves out the turns whose context could not be loaded. */
  async attach(turns: readonly Turn[]): Promise<Pick<LocatedTurn, 'turn' | 'context'>[]> {
    const ready: Pick<LocatedTurn, 'turn' | 'context'>[] = []
    for (const turn of turns) {
      const context = this.#current(turn.contaId)?.loaded ?? (await this.#getFor(turn))
      if (context !== null) ready.push({ turn, context: contextOfLine(context, turn.linhaId) })
    }
    return ready
  }

  changed(contaId: string): void {
    this.#cache.delete(contaId)
  }

  clear(): void {
    this.#cache.clear()
  }

  /** Drops the context whose AI was paused by the budget of a month that ended. */
  #current(contaId: string): CachedContext | undefined {
    const cached = this.#cache.get(contaId)
    const pausedUntil = cached?.loaded?.iaPausedUntil ?? null
    if (pausedUntil === null || this.#deps.clock.now().getTime() < pausedUntil) return cached
    this.changed(contaId)
    return undefined
  }

  async #getFor(turn: Turn): Promise<AccountContext | null> {
    try {
      return await this.get(turn.contaId)
    } catch (error) {
      turn.reject(error)
      return null
    }
  }

  #load(contaId: string): CachedContext {
    // An array takes the shared turn for a connection: a batch of many contas waits for this read, and a flood of
    // requests of this conta must not delay it.
    const loading = this.#deps.db.transaction([contaId], (tx) => loadAccountContext(tx, this.#deps, contaId))
    const cached: CachedContext = { loading, loaded: null }
    this.#cache.set(contaId, cached)
    loading.then(
      (context) => (cached.loaded = context),
      () => this.#cache.delete(contaId),
    )
    return cached
  }
}
