/** Limits parallel work. A bounded number of callers wait; further callers are rejected. */
export interface Gate {
  /** `key` names the caller's list. Free slots go to the lists in turn. */
  readonly run: <T>(work: () => Promise<T>, key?: string) => Promise<T>
  /** Throws if `run` would reject this caller now. */
  readonly check: (key?: string) => void
}

export interface GateOptions {
  readonly atOnce: number
  /** Over all keys. */
  readonly waiting: number
  /** Default: `waiting`. */
  readonly waitingPerKey?: number
  /** A caller that waits longer is rejected. Default: no limit. */
  readonly waitMs?: number
  /** Builds the error of a rejected caller. */
  readonly full: () => Error
}

interface Waiting {
  readonly start: () => void
  readonly refuse: () => void
}

/**
 * A caller that finds the gate full takes the last slot of the longest list, if that list is longer than the caller's
 * own would be. So few keys cannot keep all others out.
 */
export function createGate({ atOnce, full, ...options }: GateOptions): Gate {
  const waiting = new WaitingLists({ ...options, full })
  let running = 0
  return {
    check: (key = '') => {
      if (running >= atOnce) waiting.findRoom(key)
    },
    run: async (work, key = '') => {
      if (running < atOnce) running += 1
      else await waiting.enter(key)
      try {
        return await work()
      } finally {
        // Passes the slot on, or frees it.
        const next = waiting.next()
        if (next === undefined) running -= 1
        else next.start()
      }
    },
  }
}

/** The waiting callers by key. */
class WaitingLists {
  readonly #options: Omit<GateOptions, 'atOnce'>
  /** In the order of their turns. No list is empty. */
  readonly #lists = new Map<string, Waiting[]>()
  #total = 0

  constructor(options: Omit<GateOptions, 'atOnce'>) {
    this.#options = options
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

  /** Resolves when the caller's turn comes. */
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
      const entry = { start: () => settle(start), refuse: () => settle(() => reject(full())) }
      list.push(entry)
    })
  }

  /** Takes the first caller of the next list, which then goes behind the others. */
  next(): Waiting | undefined {
    const [turn] = this.#lists
    if (turn === undefined) return undefined
    const [key, list] = turn
    const first = list.shift()
    this.#lists.delete(key)
    this.#lists.set(key, list)
    this.#shrink(key, list)
    return first
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
