/** Room for further items, and the running ones by conta. */
export interface Room {
  readonly total: number
  readonly running: ReadonlyMap<string, number>
}

export interface ReservedWorkOptions<T> {
  readonly atOnce: number
  readonly contaOf: (item: T) => string
  readonly reserve: (room: Room) => Promise<readonly T[]>
  readonly handle: (item: T) => Promise<void>
  /** Logs an error of `handle`, or of `reserve` after an item ended. */
  readonly failed: (error: unknown) => void
}

/** Handles due rows of a table. No item waits for the end of another one, so a slow service delays only its own. */
export class ReservedWork<T> {
  readonly #options: ReservedWorkOptions<T>
  readonly #works = new Set<Promise<void>>()
  readonly #running = new Map<string, number>()
  #reserving: Promise<void> = Promise.resolve()
  #busy = false
  #again = false
  #stopped = false

  constructor(options: ReservedWorkOptions<T>) {
    this.#options = options
  }

  /** Reserves the due items for which there is room, and begins them. The end of each item does the same. */
  start(): Promise<void> {
    this.#again = true
    if (!this.#busy) this.#reserving = this.#reserve()
    return this.#reserving
  }

  async idle(): Promise<void> {
    while (this.#busy || this.#works.size > 0) await Promise.allSettled([this.#reserving, ...this.#works])
  }

  /** Begins no further items. Resolves as `idle`. */
  stop(): Promise<void> {
    this.#stopped = true
    return this.idle()
  }

  async #reserve(): Promise<void> {
    const { atOnce, reserve } = this.#options
    this.#busy = true
    try {
      while (this.#again && !this.#stopped && this.#works.size < atOnce) {
        this.#again = false
        const items = await reserve({ total: atOnce - this.#works.size, running: this.#running })
        for (const item of items) this.#begin(item)
      }
    } finally {
      this.#busy = false
    }
  }

  #begin(item: T): void {
    const { contaOf, handle, failed } = this.#options
    const contaId = contaOf(item)
    this.#count(contaId, 1)
    const work = handle(item)
      .catch(failed)
      .finally(() => {
        this.#count(contaId, -1)
        this.#works.delete(work)
        if (!this.#stopped) void this.start().catch(failed)
      })
    this.#works.add(work)
  }

  #count(contaId: string, change: number): void {
    const count = (this.#running.get(contaId) ?? 0) + change
    if (count > 0) this.#running.set(contaId, count)
    else this.#running.delete(contaId)
  }
}
