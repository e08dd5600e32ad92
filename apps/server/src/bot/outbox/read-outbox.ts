import { Batcher } from '#lib/queue/batcher.ts'
import { currentRequest } from '#lib/context/current-request.ts'
import type { OutboxRow } from '#modules/mensagens/index.ts'
import type { SendQueue } from './send-queue.ts'

/** Rows of one statement. */
export const OUTBOX_PAGE = 500

export interface OutboxReaderOptions {
  readonly queue: Pick<SendQueue, 'load' | 'holds'>
  /** Lists the ids of a page of `saida`, in order. Null: the first page. */
  readonly listIds: (after: string | null) => Promise<readonly string[]>
  /** Lists these rows of `saida`, at most one page. */
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

  /** Queues these rows, except those that the queue holds. */
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

  /** Returns the last id of the page, or null after the last page. */
  async #readAfter(after: string | null): Promise<string | null> {
    const ids = await this.#options.listIds(after)
    await this.read(ids)
    return ids.length < OUTBOX_PAGE ? null : (ids.at(-1) ?? null)
  }

  async #load(ids: readonly string[], requests: Requests): Promise<ReadonlyMap<string, null>> {
    const { queue, listRows } = this.#options
    // An earlier batch may have read it.
    const missing = ids.filter((id) => !queue.holds(id))
    if (missing.length === 0 || this.#closed) return new Map()
    await queue.load(async () =>
      (await listRows(missing)).map((row) => ({ ...row, request: requests.get(row.mensagemId) })),
    )
    return new Map()
  }
}

/** Message id → the request that asked for its row. */
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
