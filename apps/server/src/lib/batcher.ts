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
  const { max, slots, groupOf = () => '', handleBatch } = options
  const queues = new Map<string, KeyQueue<T>>()
  const ready = new Rotation<KeyQueue<T>>()
  let inFlight = 0
  let scheduled = false
  let total = 0
  let waiting: (() => void)[] = []

  const schedule = (): void => {
    if (scheduled || inFlight >= slots || ready.isEmpty()) return
    scheduled = true
    // Items queued in the same tick of the event loop form one batch.
    setImmediate(dispatch)
  }

  const dispatch = (): void => {
    scheduled = false
    while (inFlight < slots && !ready.isEmpty()) void run(ready.take(max))
  }

  const run = async (taken: readonly KeyQueue<T>[]): Promise<void> => {
    inFlight += 1
    const batch = taken.flatMap(({ queue }) => queue.splice(0, 1))
    const deferred = new Map((await handleBatch(batch)).map((item) => [item.key, item]))
    total -= batch.length - deferred.size
    for (const keyed of taken) {
      const postponed = deferred.get(keyed.key)
      if (postponed !== undefined) keyed.queue.unshift(postponed)
      if (keyed.queue.length > 0) ready.add(keyed)
      else queues.delete(keyed.key)
    }
    inFlight -= 1
    if (total === 0) for (const resolve of waiting.splice(0)) resolve()
    schedule()
  }

  return {
    add: (item) => {
      total += 1
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

  take(max: number): E[] {
    const taken: E[] = []
    while (taken.length < max && this.#lists.size > 0) {
      const share = Math.max(1, Math.floor((max - taken.length) / this.#lists.size))
      for (const [group, list] of [...this.#lists].slice(0, max - taken.length)) {
        taken.push(...list.splice(0, share))
        this.#lists.delete(group)
        // Appended, so the other groups take their turns before this one.
        if (list.length > 0) this.#lists.set(group, list)
      }
    }
    return taken
  }
}
