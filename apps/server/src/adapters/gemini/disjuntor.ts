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
 * through, whose outcome closes or opens it again.
 */
export interface CircuitBreaker {
  /** True when a question may be sent. The caller must then report exactly one outcome. */
  readonly mayAsk: (chave: string) => boolean
  /** Records a success; true when it closed the circuit. */
  readonly succeeded: (chave: string) => boolean
  /** Records a failure; true when it opened the circuit. */
  readonly failed: (chave: string) => boolean
  readonly inconclusive: (chave: string) => void
}

export function createCircuitBreaker(now: () => number): CircuitBreaker {
  const circuitos = new Map<string, Circuit>()
  return {
    mayAsk: (chave) => {
      const circuito = circuitos.get(chave)
      if (circuito === undefined || circuito.failures < FAILURES_TO_OPEN) return true
      if (circuito.probing || now() < circuito.openUntil) return false
      circuito.probing = true
      return true
    },
    succeeded: (chave) => {
      const { failures = 0 } = circuitos.get(chave) ?? {}
      circuitos.delete(chave)
      return failures >= FAILURES_TO_OPEN
    },
    failed: (chave) => {
      const { failures = 0 } = circuitos.get(chave) ?? {}
      circuitos.delete(chave)
      const [antigo] = circuitos.size < MAX_CIRCUITS ? [] : circuitos.keys()
      if (antigo !== undefined) circuitos.delete(antigo)
      circuitos.set(chave, { failures: failures + 1, openUntil: now() + OPEN_MS, probing: false })
      return failures + 1 === FAILURES_TO_OPEN
    },
    inconclusive: (chave) => {
      const circuito = circuitos.get(chave)
      if (circuito !== undefined) circuito.probing = false
    },
  }
}
