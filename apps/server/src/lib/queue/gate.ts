/** Limits parallel work. A bounded number of callers wait; further callers are rejected. */
export interface Gate {
  /** `key` names the caller's list. Free slots go to the lists in turn. */
  readonly run: <T>(work: () => Promise<T>, key?: string) => Promise<T>
  /** Throws if `run` would reject this caller now. */
  readonly check: (key?: string) => void
  readonly waiting: () => number
}

export interface GateOptions {
  readonly atOnce: number
  /** Maximum of running work of one key. Its other callers wait even while slots are free. Default: `atOnce`. */
  readonly runningPerKey?: (key: string) => number
  readonly waiting: number
  readonly waitingPerKey?: number
  /** A caller that waits longer is rejected. Default: no limit. */
  readonly waitMs?: number
  readonly full: () => Error
}

interface Waiting {
  readonly key: string
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * A caller that finds the gate full takes the last slot of the longest list, if that list is longer than the caller's
 * own would be. So few keys cannot keep all others out.
 */
export function createGate({ atOnce, runningPerKey = () => atOnce, full, ...options }: GateOptions): Gate {
  const waiting = new WaitingLists({ ...options, full })
  const running = new RunningCounts(atOnce, runningPerKey)
  return {
    waiting: () => waiting.total,
    check: (key = '') => {
      if (!running.hasRoom(key)) waiting.findRoom(key)
    },
    run: async (work, key = '') => {
      if (running.hasRoom(key)) running.add(key)
      else await waiting.enter(key)
      try {
        return await work()
      } finally {
        running.remove(key)
        // Counted before it starts, so no other caller takes the slot in between.
        const next = waiting.next((one) => running.hasRoom(one))
        if (next !== undefined) {
          running.add(next.key)
          next.start()
        }
      }
    },
  }
}

class RunningCounts {
  readonly #atOnce: number
  readonly #perKey: (key: string) => number
  readonly #counts = new Map<string, number>()
  #total = 0

  constructor(atOnce: number, perKey: (key: string) => number) {
    this.#atOnce = atOnce
    this.#perKey = perKey
  }

  hasRoom(key: string): boolean {
    return this.#total < this.#atOnce && (this.#counts.get(key) ?? 0) < this.#perKey(key)
  }

  add(key: string): void {
    this.#total += 1
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  remove(key: string): void {
    this.#total -= 1
    const left = (this.#counts.get(key) ?? 0) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }
}

type WaitingOptions = Omit<GateOptions, 'atOnce' | 'runningPerKey'>

class WaitingLists {
  readonly #options: WaitingOptions
  /** In the order of their turns. No list is empty. */
  readonly #lists = new Map<string, Waiting[]>()
  #total = 0

  constructor(options: WaitingOptions) {
    this.#options = options
  }

  get total(): number {
    return this.#total
  }

  /** Returns the list that must give its last slot to this caller, or null if a slot is free. Throws if neither exists. */
  findRoom(key: string): readonly [string, Waiting[]] | null {
    const { waiting, waitingPerKey = waiting, full } = this.#options
    const own = this.#lists.get(key)?.length ?? 0
    if (own >= waitingPerKey) throw full()
    if (this.#total < waiting) return null
    const longest = longestOf(this.#lists)
    if (longest[1].length <= own + 1) throw full()
    return longest
  }

  enter(key: string): Promise<void> {
    const { waitMs, full } = this.#options
    this.#makeRoom(this.findRoom(key))
    const list = this.#lists.get(key) ?? []
    this.#lists.set(key, list)
    this.#total += 1
    return new Promise((start, reject) => {
      const timer = waitMs === undefined ? undefined : setTimeout(() => this.#expire(key, list, entry), waitMs)
      const settle = (outcome: () => void): void => {
        clearTimeout(timer)
        outcome()
      }
      const entry = { key, start: () => settle(start), refuse: () => settle(() => reject(full())) }
      list.push(entry)
    })
  }

  /** Takes the first caller of the next list that may run. The list then goes behind the others. */
  next(mayRun: (key: string) => boolean): Waiting | undefined {
    for (const [key, list] of this.#lists) {
      if (!mayRun(key)) continue
      const first = list.shift()
      this.#lists.delete(key)
      this.#lists.set(key, list)
      this.#shrink(key, list)
      return first
    }
    return undefined
  }

  #makeRoom(longest: readonly [string, Waiting[]] | null): void {
    if (longest === null) return
    const [key, list] = longest
    list.pop()?.refuse()
    this.#shrink(key, list)
  }

  #expire(key: string, list: Waiting[], entry: Waiting): void {
    const place = list.indexOf(entry)
    if (place < 0) return
    list.splice(place, 1)
    this.#shrink(key, list)
    entry.refuse()
  }

  #shrink(key: string, list: readonly Waiting[]): void {
    this.#total -= 1
    if (list.length === 0) this.#lists.delete(key)
  }
}

function longestOf(lists: ReadonlyMap<string, Waiting[]>): readonly [string, Waiting[]] {
  let longest: readonly [string, Waiting[]] = ['', []]
  for (const entry of lists) if (entry[1].length > longest[1].length) longest = entry
  return longest
}
