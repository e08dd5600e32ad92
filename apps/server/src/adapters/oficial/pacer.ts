/** Meta accepts 80 messages per second and number. We send at most 40, and none during a pause that Meta asked for. */
export interface MetaPacer {
  /** Resolves when the next message may be sent, in call order. */
  readonly turn: () => Promise<void>
  readonly pauseMs: () => number
  readonly pause: (ms: number) => void
}

const BURST = 40
const INTERVAL_MS = 25

export function createMetaPacer(): MetaPacer {
  let next = 0
  let pausedUntil = 0
  return {
    turn: async () => {
      const now = performance.now()
      next = Math.max(next + INTERVAL_MS, now - (BURST - 1) * INTERVAL_MS)
      const wait = next - now
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    },
    pauseMs: () => Math.max(0, pausedUntil - performance.now()),
    pause: (ms) => {
      pausedUntil = Math.max(pausedUntil, performance.now() + ms)
    },
  }
}
