import { NODE_LEASE_S, type OtherNode } from './repository.ts'

/** After a pause this long between two rounds this process stood still, and perhaps the others did, too. */
const PAUSE_MS = (NODE_LEASE_S * 1_000) / 2

interface Seen {
  readonly renewal: string
  readonly since: number
}

/**
 * Measures how long the rows of the other nodes stay the same. It counts only the monotonic time of this process while
 * its rounds succeed. So a database that was away condemns no node, nor does a clock that was set.
 */
export class RowWatch {
  #seen: ReadonlyMap<string, Seen> = new Map()
  #lastRoundAt = -Infinity

  interrupted(): void {
    this.#seen = new Map()
  }

  /** Records the rows of a round. `now`: when they arrived, monotonic, in ms. Returns the nodes that are overdue. */
  overdue(others: readonly OtherNode[], now: number): readonly OtherNode[] {
    if (now - this.#lastRoundAt > PAUSE_MS) this.interrupted()
    this.#lastRoundAt = now
    const earlier = this.#seen
    this.#seen = new Map(
      others.map(({ id, renewal }) => {
        const seen = earlier.get(id)
        return [id, seen?.renewal === renewal ? seen : { renewal, since: now }]
      }),
    )
    return others.filter(({ id }) => now - (this.#seen.get(id)?.since ?? now) >= NODE_LEASE_S * 1_000)
  }
}
