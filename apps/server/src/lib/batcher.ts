import { currentRequest, runForRequest } from './context/current-request.ts'

/** Items with the same key run in order and never in parallel. */
export interface QueuedItem {
  readonly key: string
}

export interface BatcherOptions<T extends QueuedItem> {
  readonly max: number
  /** Batches in parallel. Few, because a waiting item then joins a larger batch, which costs less per item. */
  readonly slots: number
  /** Batches take equal shares of all groups, so a group with many keys does not delay the others. Default: one group. */
  readonly groupOf?: (item: T) => string
  /**
   * True: while all slots are busy, one further batch runs for the groups without a running batch. Such a group waits
   * neither for a slot nor for the many items of another group in its batch. Default: false.
   */
  readonly express?: boolean
  /** Never rejects. Returns the items that must wait for the next batch. */
  readonly handleBatch: (batch: readonly T[]) => Promise<readonly T[]>
}

export interface Batcher<T extends QueuedItem> {
  readonly add: (item: T) => void
  readonly idle: () => Promise<void>
  readonly pending: () => number
}

interface KeyQueue<T> {
  readonly key: string
  readonly group: string
  readonly queue: T[]
}

/**
 * Groups items of different keys into batches. A batch starts as soon as a slot is free: a single item does not wait,
 * and batches grow under load.
 */
export function createBatcher<T extends QueuedItem>(options: BatcherOptions<T>): Batcher<T> {
  const { max, slots, groupOf = () => '', express = false, handleBatch } = options
  const queues = new Map<string, KeyQueue<T>>()
  const requests = new ItemRequests<T>()
  const ready = new Rotation<KeyQueue<T>>()
  const busy = new BusyGroups()
  const free = { normal: slots, express: express ? 1 : 0 }
  let scheduled = false
  let total = 0
  let waiting: (() => void)[] = []

  const schedule = (): void => {
    if (scheduled || free.normal + free.express === 0 || ready.isEmpty()) return
    scheduled = true
    // Items queued in the same tick of the event loop form one batch.
    setImmediate(dispatch)
  }

  const dispatch = (): void => {
    scheduled = false
    while (free.normal > 0 && !ready.isEmpty()) void run('normal', ready.take(max))
    const others = free.express > 0 ? ready.take(max, (group) => !busy.has(group)) : []
    if (others.length > 0) void run('express', others)
  }

  const run = async (slot: keyof typeof free, taken: readonly KeyQueue<T>[]): Promise<void> => {
    free[slot] -= 1
    const leave = busy.enter(taken)
    const batch = taken.flatMap(({ queue }) => queue.splice(0, 1))
    const deferred = byKey(await runForRequest(requests.ofAll(batch), () => handleBatch(batch)))
    total -= batch.length - deferred.size
    for (const keyed of taken) {
      const postponed = deferred.get(keyed.key)
      if (postponed !== undefined) keyed.queue.unshift(postponed)
      if (keyed.queue.length > 0) ready.add(keyed)
      else queues.delete(keyed.key)
    }
    leave()
    free[slot] += 1
    if (total === 0) for (const resolve of waiting.splice(0)) resolve()
    schedule()
  }

  return {
    add: (item) => {
      total += 1
      requests.added(item)
      const keyed = queues.get(item.key)
      if (keyed === undefined) {
        const added = { key: item.key, group: groupOf(item), queue: [item] }
        queues.set(item.key, added)
        ready.add(added)
      } else {
        keyed.queue.push(item)
      }
      schedule()
    },
    idle: () =>
      new Promise((resolve) => {
        if (total === 0) resolve()
        else waiting = [...waiting, resolve]
      }),
    pending: () => total,
  }
}

const byKey = <T extends QueuedItem>(items: readonly T[]): ReadonlyMap<string, T> =>
  new Map(items.map((item) => [item.key, item]))

export interface BatchersOptions<T extends QueuedItem> extends Pick<BatcherOptions<T>, 'max' | 'slots'> {
  /** Never rejects. */
  readonly handleBatch: (name: string, batch: readonly T[]) => Promise<void>
}

/**
 * Returns a function that adds an item to the batcher of this name. Each name has separate slots. A batcher is dropped
 * when it is idle.
 */
export function createBatchers<T extends QueuedItem>(options: BatchersOptions<T>): (name: string, item: T) => void {
  const { max, slots, handleBatch } = options
  const batchers = new Map<string, Batcher<T>>()

  const open = (name: string): Batcher<T> => {
    const handle = async (batch: readonly T[]): Promise<readonly T[]> => {
      await handleBatch(name, batch)
      return []
    }
    const batcher = createBatcher<T>({ max, slots, handleBatch: handle })
    batchers.set(name, batcher)
    return batcher
  }
  const dropIdle = async (name: string, batcher: Batcher<T>): Promise<void> => {
    do await batcher.idle()
    while (batcher.pending() > 0)
    batchers.delete(name)
  }
  return (name, item) => {
    const running = batchers.get(name)
    const batcher = running ?? open(name)
    batcher.add(item)
    if (running === undefined) void dropIdle(name, batcher)
  }
}

/** The requests that added the items. */
class ItemRequests<T extends object> {
  readonly #byItem = new WeakMap<T, string>()

  added(item: T): void {
    const request = currentRequest()
    if (request !== undefined) this.#byItem.set(item, request)
  }

  /** The request of all these items. Undefined: none, or several. */
  ofAll([first, ...others]: readonly T[]): string | undefined {
    const request = first === undefined ? undefined : this.#byItem.get(first)
    return others.every((item) => this.#byItem.get(item) === request) ? request : undefined
  }
}

/** Counts the running batches of each group. */
class BusyGroups {
  readonly #batches = new Map<string, number>()

  /** Returns the function to call at the end of the batch. */
  enter(batch: readonly { readonly group: string }[]): () => void {
    const groups = new Set(batch.map(({ group }) => group))
    for (const group of groups) this.#batches.set(group, (this.#batches.get(group) ?? 0) + 1)
    return () => {
      for (const group of groups) {
        const left = (this.#batches.get(group) ?? 1) - 1
        if (left > 0) this.#batches.set(group, left)
        else this.#batches.delete(group)
      }
    }
  }

  has(group: string): boolean {
    return this.#batches.has(group)
  }
}

/** A list per group. `take` gives every group an equal share; within a group the oldest entry goes first. */
class Rotation<E extends { readonly group: string }> {
  /** No list is empty. The order of the map is the order in which the groups take turns. */
  readonly #lists = new Map<string, E[]>()

  add(entry: E): void {
    const list = this.#lists.get(entry.group)
    if (list === undefined) this.#lists.set(entry.group, [entry])
    else list.push(entry)
  }

  isEmpty(): boolean {
    return this.#lists.size === 0
  }

  take(max: number, accepts: (group: string) => boolean = () => true): E[] {
    const taken: E[] = []
    for (;;) {
      const lists = [...this.#lists].filter(([group]) => accepts(group))
      if (taken.length >= max || lists.length === 0) return taken
      const share = Math.max(1, Math.floor((max - taken.length) / lists.length))
      for (const [group, list] of lists.slice(0, max - taken.length)) {
        taken.push(...list.splice(0, share))
        this.#lists.delete(group)
        // Appended, so the other groups take their turns before this one.
        if (list.length > 0) this.#lists.set(group, list)
      }
    }
  }
}
