/** Items with the same key run in order and never in parallel. */
export interface QueuedItem {
  readonly key: string
}

export interface BatcherOptions<T extends QueuedItem> {
  readonly max: number
  /** Batches in parallel. Few, because a waiting item then joins a larger batch, which costs less per item. */
  readonly slots: number
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
  readonly queue: T[]
}

/**
 * Groups items of different keys into batches. A batch starts as soon as a slot is free: a single item does not wait,
 * and batches grow under load.
 */
export function createBatcher<T extends QueuedItem>({ max, slots, handleBatch }: BatcherOptions<T>): Batcher<T> {
  const queues = new Map<string, KeyQueue<T>>()
  let ready: KeyQueue<T>[] = []
  let inFlight = 0
  let scheduled = false
  let total = 0
  let waiting: (() => void)[] = []

  const schedule = (): void => {
    if (scheduled || inFlight >= slots || ready.length === 0) return
    scheduled = true
    // Items queued in the same tick of the event loop form one batch.
    setImmediate(dispatch)
  }

  const dispatch = (): void => {
    scheduled = false
    while (inFlight < slots && ready.length > 0) {
      const group = ready.slice(0, max)
      ready = ready.slice(max)
      void run(group)
    }
  }

  const run = async (group: readonly KeyQueue<T>[]): Promise<void> => {
    inFlight += 1
    const batch = group.flatMap(({ queue }) => queue.splice(0, 1))
    const deferred = new Map((await handleBatch(batch)).map((item) => [item.key, item]))
    total -= batch.length - deferred.size
    for (const keyed of group) {
      const postponed = deferred.get(keyed.key)
      if (postponed !== undefined) keyed.queue.unshift(postponed)
      if (keyed.queue.length > 0) ready.push(keyed)
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
        const added = { key: item.key, queue: [item] }
        queues.set(item.key, added)
        ready.push(added)
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
