/** A node with more than this many times its share gives bots away. */
const TOLERATED = 1.2
/** A round moves this part of the surplus, and at most `MOVED_MAX` bots. */
const MOVED_PART = 20
const MOVED_MAX = 10

export interface Spread {
  readonly own: number
  readonly others: readonly number[]
  readonly free: number
}

export function fairShare({ own, others, free }: Spread): number {
  const all = others.reduce((sum, count) => sum + count, own + free)
  return Math.ceil(all / (others.length + 1))
}

export function surplusToMove(spread: Spread): number {
  const share = fairShare(spread)
  if (spread.free > 0 || spread.own <= share * TOLERATED) return 0
  return Math.min(MOVED_MAX, Math.ceil((spread.own - share) / MOVED_PART))
}

/** Allows a burst of starts and then some each second, because a start is costly for the process and for WhatsApp. */
export class StartPace {
  readonly #perSecond: number
  readonly #burst: number
  #tokens: number
  #at: number

  constructor({ burst, perSecond, now }: { readonly burst: number; readonly perSecond: number; readonly now: number }) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#tokens = burst
    this.#at = now
  }

  available(now: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + ((now - this.#at) / 1_000) * this.#perSecond)
    this.#at = now
    return Math.floor(this.#tokens)
  }

  used(starts: number): void {
    this.#tokens -= starts
  }
}
