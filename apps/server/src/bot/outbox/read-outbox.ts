import type { FastifyBaseLogger } from 'fastify'
import { createBoundedCache } from '#lib/bounded-cache.ts'
import { Batcher } from '#lib/queue/batcher.ts'
import { Collector } from '#lib/queue/collector.ts'
import { currentRequest } from '#lib/context/current-request.ts'
import type { OutboxRow } from '#modules/mensagens/index.ts'

export const OUTBOX_PAGE = 500

export type ReadRow = OutboxRow & { readonly request?: string | undefined }

export interface OutboxReaderOptions {
  readonly queue: {
    readonly holds: (mensagemId: string) => boolean
    readonly load: (list: () => Promise<readonly ReadRow[]>) => Promise<void>
  }
  /** Lists the ids of a page of `saida`, in order. Null: the first page. */
  readonly listIds: (after: string | null) => Promise<readonly string[]>
  readonly listRows: (ids: readonly string[]) => Promise<readonly OutboxRow[]>
}

/** Reads rows of `saida` into the send queue of one session. It writes nothing. */
export class OutboxReader {
  readonly #options: OutboxReaderOptions
  readonly #lookUp = createLookup<null>((ids, requests) => this.#load(ids, requests))
  #after: string | null = null
  #closed = false

  constructor(options: OutboxReaderOptions) {
    this.#options = options
  }

  async read(ids: readonly string[]): Promise<void> {
    const missing = ids.filter((id) => !this.#options.queue.holds(id))
    await Promise.all(missing.map((id) => this.#lookUp(id)))
  }

  /** Queues all rows. Newer rows than those of the last page arrive by their wake-up or by `readPage`. */
  async recover(): Promise<void> {
    let after: string | null = null
    do after = await this.#readAfter(after)
    while (after !== null && !this.#closed)
  }

  /** Queues the next page. After the last page the first one follows, because a commit may add a lower id later. */
  async readPage(): Promise<void> {
    this.#after = await this.#readAfter(this.#after)
  }

  close(): void {
    this.#closed = true
  }

  async #readAfter(after: string | null): Promise<string | null> {
    const ids = await this.#options.listIds(after)
    await this.read(ids)
    return ids.length < OUTBOX_PAGE ? null : (ids.at(-1) ?? null)
  }

  async #load(ids: readonly string[], requests: Requests): Promise<ReadonlyMap<string, null>> {
    const { queue, listRows } = this.#options
    const missing = ids.filter((id) => !queue.holds(id))
    if (missing.length === 0 || this.#closed) return new Map()
    await queue.load(async () =>
      (await listRows(missing)).map((row) => ({ ...row, request: requests.get(row.mensagemId) })),
    )
    return new Map()
  }
}

type Requests = ReadonlyMap<string, string | undefined>

interface Lookup<T> {
  readonly key: string
  readonly request: string | undefined
  readonly resolve: (found: T | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Returns a function that looks up one row of `saida`. Lookups at the same time share a statement. */
export function createLookup<T>(
  readAll: (ids: readonly string[], requests: Requests) => Promise<ReadonlyMap<string, T>>,
): (mensagemId: string) => Promise<T | undefined> {
  const lookups = new Batcher<Lookup<T>>({
    max: OUTBOX_PAGE,
    slots: 1,
    handleBatch: async (batch) => {
      try {
        const requests = new Map(batch.map(({ key, request }) => [key, request]))
        const found = await readAll([...requests.keys()], requests)
        for (const { key, resolve } of batch) resolve(found.get(key))
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
      return []
    },
  })
  return (key) => new Promise((resolve, reject) => lookups.add({ key, request: currentRequest(), resolve, reject }))
}

const CONTATOS_CACHED = 10_000
const RETRY_MS = 1_000

export interface PredecessorsOptions {
  readonly isQueued: (mensagemId: string) => boolean
  /** Queues the waiting messages of the contatos of these rows of `saida`. Rows that were deleted have left. */
  readonly queueBehind: (mensagemIds: readonly string[]) => Promise<void>
  readonly resolved: (contatos: readonly string[]) => void
  readonly log: FastifyBaseLogger
}

interface Missing {
  readonly contatoId: string
  readonly mensagemId: string
}

type Linked = Pick<OutboxRow, 'contatoId' | 'mensagemId' | 'anterior'>

/**
 * Keeps the order of messages that different nodes wrote for one contato. Each message names the one promised before it.
 * When the queue never held that one, the contato waits until it was looked up in `saida`.
 */
export class Predecessors {
  readonly #options: PredecessorsOptions
  readonly #last = createBoundedCache<{ mensagemId: string }>(CONTATOS_CACHED)
  readonly #missing: Collector<Missing>
  /** By contato, the number of its messages that `#missing` has not looked up. */
  readonly #held = new Map<string, number>()

  constructor(options: PredecessorsOptions) {
    this.#options = options
    const failed = (error: unknown): void =>
      options.log.error({ err: error }, 'earlier messages not looked up, retrying')
    this.#missing = new Collector({ flush: (missing) => this.#lookUp(missing), retry: { ms: RETRY_MS, failed } })
  }

  holds(contatoId: string): boolean {
    return this.#held.has(contatoId)
  }

  /** `check`: false for a message that was read together with all waiting ones of its contato. */
  queued({ contatoId, mensagemId, anterior }: Linked, check: boolean): void {
    const last = this.#last.get(contatoId)
    const isNext = anterior === null || anterior === last?.mensagemId || this.#options.isQueued(anterior)
    if (last === undefined) this.#last.set(contatoId, { mensagemId })
    else last.mensagemId = mensagemId
    if (!check || isNext) return
    this.#held.set(contatoId, (this.#held.get(contatoId) ?? 0) + 1)
    this.#missing.add({ contatoId, mensagemId: anterior })
  }

  close(): void {
    this.#missing.close()
  }

  async #lookUp(missing: readonly Missing[]): Promise<void> {
    await this.#options.queueBehind([...new Set(missing.map(({ mensagemId }) => mensagemId))])
    for (const { contatoId } of missing) {
      const left = (this.#held.get(contatoId) ?? 1) - 1
      if (left > 0) this.#held.set(contatoId, left)
      else this.#held.delete(contatoId)
    }
    this.#options.resolved([...new Set(missing.map(({ contatoId }) => contatoId))])
  }
}
