import { LRUCache } from 'lru-cache'

/** Consecutive failures that open the circuit, and how long it stays open before one probe is allowed. */
const FAILURES_TO_OPEN = 5
const OPEN_MS = 30_000
const MAX_CIRCUITS = 5_000

interface Circuit {
  failures: number
  openUntil: number
  probing: boolean
}

/**
 * Circuit breaker per key (account and model). While open it refuses questions; after a pause it lets one probe
 * through, whose outcome closes or opens it again. The breaker of cockatiel would make further questions wait for the
 * probe, and the owner's test could not pass an open circuit.
 */
export interface CircuitBreaker {
  /** True when a question may be sent. The caller must then report exactly one outcome. */
  readonly mayAsk: (key: string) => boolean
  readonly succeeded: (key: string) => boolean
  /** Records a failure; true when it opened the circuit. */
  readonly failed: (key: string) => boolean
  readonly inconclusive: (key: string) => void
}

export function createCircuitBreaker(now: () => number): CircuitBreaker {
  const circuits = new LRUCache<string, Circuit>({ maxSize: MAX_CIRCUITS, sizeCalculation: () => 1 })
  return {
    mayAsk: (key) => {
      const circuit = circuits.get(key)
      if (circuit === undefined || circuit.failures < FAILURES_TO_OPEN) return true
      if (circuit.probing || now() < circuit.openUntil) return false
      circuit.probing = true
      return true
    },
    succeeded: (key) => {
      const { failures = 0 } = circuits.get(key) ?? {}
      circuits.delete(key)
      return failures >= FAILURES_TO_OPEN
    },
    failed: (key) => {
      const { failures = 0 } = circuits.get(key) ?? {}
      circuits.set(key, { failures: failures + 1, openUntil: now() + OPEN_MS, probing: false })
      return failures + 1 === FAILURES_TO_OPEN
    },
    inconclusive: (key) => {
      const circuit = circuits.get(key)
      if (circuit !== undefined) circuit.probing = false
    },
  }
}
