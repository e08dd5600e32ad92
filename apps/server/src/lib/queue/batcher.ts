import { currentRequest, runForRequest } from '#lib/context/current-request.ts'

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
  /** True: the group gets batches without other groups, one at a time and in ordinary slots. Default: none. */
  readonly alone?: (group: string) => boolean
  /** Never rejects. Returns the items that it did not handle. */
  readonly handleBatch: (batch: readonly T[]) => Promise<readonly Repeat<T>[]>
}

/** An item for a later batch. Items of the same key that were added later stay behind it. */
export interface Repeat<T> {
  readonly item: T
  readonly waitMs: number
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
export class Batcher<T extends QueuedItem> {
  readonly #options: BatcherOptions<T>
  readonly #alone: (group: string) => boolean
  readonly #queues = new Map<string, KeyQueue<T>>()
  readonly #requests = new ItemRequests<T>()
  readonly #ready = new Rotation<KeyQueue<T>>()
  readonly #busy = new BusyGroups()
  readonly #free: { normal: number; express: number }
  #scheduled = false
  #waiting: (() => void)[] = []
  #pending = 0

  constructor(options: BatcherOptions<T>) {
    this.#options = options
    this.#alone = options.alone ?? (() => false)
    this.#free = { normal: options.slots, express: options.express === true ? 1 : 0 }
  }

  add(item: T): void {
    this.#pending += 1
    this.#requests.added(item)
    const keyed = this.#queues.get(item.key)
    if (keyed === undefined) {
      const added = { key: item.key, group: this.#options.groupOf?.(item) ?? '', queue: [item] }
      this.#queues.set(item.key, added)
      this.#ready.add(added)
    } else {
      keyed.queue.push(item)
    }
    this.#schedule()
  }

  pending(): number {
    return this.#pending
  }

  idle(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#pending === 0) resolve()
      else this.#waiting.push(resolve)
    })
  }

  #schedule(): void {
    if (this.#scheduled || this.#free.normal + this.#free.express === 0 || this.#ready.isEmpty()) return
    this.#scheduled = true
    // Items queued in the same tick of the event loop form one batch.
    setImmediate(() => this.#dispatch())
  }

  #dispatch(): void {
    this.#scheduled = false
    const { max } = this.#options
    while (this.#free.normal > 0) {
      const taken = this.#ready.take(max, this.#alone, (group) => !this.#alone(group) || !this.#busy.has(group))
      if (taken.length === 0) break
      void this.#run('normal', taken)
    }
    if (this.#free.express === 0) return
    const others = this.#ready.take(max, this.#alone, (group) => !this.#alone(group) && !this.#busy.has(group))
    if (others.length > 0) void this.#run('express', others)
  }

  async #run(slot: 'normal' | 'express', taken: readonly KeyQueue<T>[]): Promise<void> {
    this.#free[slot] -= 1
    const leave = this.#busy.enter(taken)
    const batch = taken.flatMap(({ queue }) => queue.splice(0, 1))
    const repeats = byKey(await runForRequest(this.#requests.ofAll(batch), () => this.#options.handleBatch(batch)))
    this.#pending -= batch.length - repeats.size
    for (const keyed of taken) this.#continue(keyed, repeats.get(keyed.key))
    leave()
    this.#free[slot] += 1
    if (this.#pending === 0) for (const resolve of this.#waiting.splice(0)) resolve()
    this.#schedule()
  }

  #continue(keyed: KeyQueue<T>, repeat: Repeat<T> | undefined): void {
    if (repeat !== undefined) keyed.queue.unshift(repeat.item)
    if (keyed.queue.length === 0) this.#queues.delete(keyed.key)
    else if (repeat === undefined || repeat.waitMs === 0) this.#ready.add(keyed)
    else setTimeout(() => this.#becomeReady(keyed), repeat.waitMs)
  }

  #becomeReady(keyed: KeyQueue<T>): void {
    this.#ready.add(keyed)
    this.#schedule()
  }
}

const byKey = <T extends QueuedItem>(repeats: readonly Repeat<T>[]): ReadonlyMap<string, Repeat<T>> =>
  new Map(repeats.map((repeat) => [repeat.item.key, repeat]))

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
    const handle = async (batch: readonly T[]): Promise<readonly Repeat<T>[]> => {
      await handleBatch(name, batch)
      return []
    }
    const batcher = new Batcher<T>({ max, slots, handleBatch: handle })
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

/**
 * A list per group. `take` gives every group an equal share, or takes from a single one that is `alone`. Within a group
 * the oldest entry goes first.
 */
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

  take(max: number, alone: (group: string) => boolean, accepts: (group: string) => boolean): E[] {
    const first = [...this.#lists.keys()].find(accepts)
    if (first === undefined) return []
    if (alone(first)) return this.#takeFrom(max, (group) => group === first)
    return this.#takeFrom(max, (group) => accepts(group) && !alone(group))
  }

  #takeFrom(max: number, accepts: (group: string) => boolean): E[] {
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
