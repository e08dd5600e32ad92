/** Limits parallel work. A bounded number of callers wait; further callers are rejected. */
export interface Gate {
  /** `key` names the caller's list. Free slots go to the lists in turn. */
  readonly run: <T>(work: () => Promise<T>, key?: string) => Promise<T>
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
export function createGate({ atOnce, waiting, waitingPerKey = waiting, waitMs, full }: GateOptions): Gate {
  /** Lists in the order of their turns. No list is empty. */
  const lists = new Map<string, Waiting[]>()
  let running = 0
  let total = 0

  const shrink = (key: string, list: readonly Waiting[]): void => {
    total -= 1
    if (list.length === 0) lists.delete(key)
  }
  const makeRoom = (own: number): void => {
    if (total < waiting) return
    const [key, list] = longestOf(lists)
    if (list.length <= own + 1) throw full()
    list.pop()?.refuse()
    shrink(key, list)
  }
  const queue = (key: string): Promise<void> => {
    const own = lists.get(key)?.length ?? 0
    if (own >= waitingPerKey) throw full()
    makeRoom(own)
    const list = lists.get(key) ?? []
    lists.set(key, list)
    total += 1
    return new Promise((start, reject) => {
      const timer = waitMs === undefined ? undefined : setTimeout(() => leave(key, list, entry), waitMs)
      const settle = (outcome: () => void): void => {
        clearTimeout(timer)
        outcome()
      }
      const entry = { start: () => settle(start), refuse: () => settle(() => reject(full())) }
      list.push(entry)
    })
  }
  const leave = (key: string, list: Waiting[], entry: Waiting): void => {
    const place = list.indexOf(entry)
    if (place < 0) return
    list.splice(place, 1)
    shrink(key, list)
    entry.refuse()
  }
  /** Passes the slot of finished work on, or frees it. */
  const release = (): void => {
    const [turn] = lists
    if (turn === undefined) return void (running -= 1)
    const [key, list] = turn
    const next = list.shift()
    lists.delete(key)
    lists.set(key, list)
    shrink(key, list)
    next?.start()
  }

  return {
    run: async (work, key = '') => {
      if (running < atOnce) running += 1
      else await queue(key)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
}

function longestOf(lists: ReadonlyMap<string, Waiting[]>): readonly [string, Waiting[]] {
  let longest: readonly [string, Waiting[]] = ['', []]
  for (const entry of lists) if (entry[1].length > longest[1].length) longest = entry
  return longest
}
