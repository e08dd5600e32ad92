import { setImmediate, setTimeout } from 'node:timers/promises'
import { runForRequest } from '#lib/context/current-request.ts'

interface CollectorOptions<T> {
  /** A newer item replaces the waiting one of its key. Default: each item has its own. */
  readonly keyOf?: (item: T) => unknown
  /** Time from an item to its flush. Default: the rest of the task of the event loop. */
  readonly waitMs?: number
  /** Never rejects, unless there is a `retry`. */
  readonly flush: (items: readonly T[]) => Promise<void>
  /** The items of a rejected flush wait `ms` and are then flushed with newer ones. */
  readonly retry?: { readonly ms: number; readonly failed: (error: unknown) => void }
}

/** Flushes items together, in order. Items that arrive during a flush wait for the next one. */
export class Collector<T> {
  readonly #options: CollectorOptions<T>
  #waiting = new Map<unknown, T>()
  #running: Promise<void> | null = null
  #closed = false

  constructor(options: CollectorOptions<T>) {
    this.#options = options
  }

  add(item: T): void {
    if (this.#closed) return
    this.#waiting.set(this.#options.keyOf?.(item) ?? item, item)
    this.#running ??= runForRequest(undefined, () => this.#run())
  }

  get waiting(): number {
    return this.#waiting.size
  }

  clear(): void {
    this.#waiting.clear()
  }

  close(): void {
    this.#closed = true
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running
  }

  async #run(): Promise<void> {
    const { waitMs, flush, retry } = this.#options
    while (this.#waiting.size > 0 && !this.#closed) {
      await (waitMs === undefined ? setImmediate() : setTimeout(waitMs, undefined, { ref: false }))
      const taken = this.#waiting
      if (taken.size === 0 || this.#closed) continue
      this.#waiting = new Map()
      try {
        await flush([...taken.values()])
      } catch (error) {
        if (retry === undefined) throw error
        retry.failed(error)
        this.#waiting = new Map([...taken, ...this.#waiting])
        await setTimeout(retry.ms, undefined, { ref: false })
      }
    }
    this.#running = null
  }
}
