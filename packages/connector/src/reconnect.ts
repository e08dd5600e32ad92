/** Two replacements within this time mean that another device really uses our credentials. */
const REPLACED_WINDOW_MS = 10 * 60_000
const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 60_000

/**
 * Milliseconds before the n-th attempt (from 0): doubled each time up to 60 s, with random jitter over the upper
 * half.
 */
export function reconnectDelayMs(attempt: number, random: () => number = Math.random): number {
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 20))
  return Math.round(ceiling / 2 + (random() * ceiling) / 2)
}

export interface ReconnectOptions {
  /**
   * A connection that closes sooner does not reset the attempts: a server that accepts and drops us must not be called
   * every second. Default: 0.
   */
  readonly stableMs?: number | undefined
  readonly delays?: ((attempt: number) => number) | undefined
  /** Monotonic clock in milliseconds. */
  readonly now?: () => number
}

/** `replaced`: another connection took over the credentials. `restart`: the service requested a restart. */
export type CloseCause = 'replaced' | 'restart'

export interface CloseHistory {
  /** Replaced within the last ten minutes. */
  readonly replacedAgain: boolean
  /** Restarted since the last stable connection. */
  readonly restartedAgain: boolean
}

export class Reconnects {
  readonly #stableMs: number
  readonly #delays: (attempt: number) => number
  readonly #now: () => number
  #attempts = 0
  #restarted = false
  #openedAt: number | null = null
  #replacedAt = -Infinity

  constructor({ stableMs = 0, delays = reconnectDelayMs, now = () => performance.now() }: ReconnectOptions = {}) {
    this.#stableMs = stableMs
    this.#delays = delays
    this.#now = now
  }

  opened(): void {
    this.#openedAt = this.#now()
  }

  /** Call after each close, before `nextDelayMs`. */
  closed(cause?: CloseCause): CloseHistory {
    const now = this.#now()
    if (this.#openedAt !== null && now - this.#openedAt >= this.#stableMs) {
      this.#attempts = 0
      this.#restarted = false
    }
    this.#openedAt = null
    const history = { replacedAgain: now - this.#replacedAt < REPLACED_WINDOW_MS, restartedAgain: this.#restarted }
    if (cause === 'replaced') this.#replacedAt = now
    if (cause === 'restart') this.#restarted = true
    return history
  }

  nextDelayMs(): number {
    const delay = this.#delays(this.#attempts)
    this.#attempts += 1
    return delay
  }
}
