const FIRST_WAIT_MS = 1_000
const MAX_WAIT_MS = 60_000

/** Milliseconds before reconnect attempt n, counted from 0: doubles up to a minute, with jitter. */
export function reconnectDelayMs(attempt: number): number {
  return Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(attempt, 10)) * (0.5 + Math.random() / 2)
}
