export interface Reconnects {
  readonly opened: () => void
  /**
   * Call after a close. Returns the situation before it: a replacement within ten minutes, and a restart since the
   * last stable connection.
   */
  readonly closed: (code: number | undefined) => {
    readonly replacedAgain: boolean
    readonly restartedAgain: boolean
  }
  /** Number of the next attempt, from 0. Resets after a stable connection. */
  readonly nextAttempt: () => number
}

/** Two replacements within this time mean that another device really uses our credentials. */
const REPLACED_WINDOW_MS = 10 * 60_000
/**
 * A connection that closes sooner was not stable: a server that accepts and drops us must not be called every
 * second.
 */
const STABLE_MS = 30_000

/** `agora` is a monotonic clock in milliseconds. */
export function createReconnects(stableMs = STABLE_MS, now = (): number => performance.now()): Reconnects {
  let attempts = 0
  let reaberto = false
  let abertaEm: number | null = null
  let substituidaEm = -Infinity
  return {
    opened: () => (abertaEm = now()),
    closed: (code) => {
      const em = now()
      if (abertaEm !== null && em - abertaEm >= stableMs) {
        attempts = 0
        reaberto = false
      }
      abertaEm = null
      const before = { replacedAgain: em - substituidaEm < REPLACED_WINDOW_MS, restartedAgain: reaberto }
      if (code === 440) substituidaEm = em
      if (code === 515) reaberto = true
      return before
    },
    nextAttempt: () => attempts++,
  }
}
