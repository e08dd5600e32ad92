import type { Evidence, GuardVerdict } from './types.ts'

/**
 * Finds every sum of money, percentage, time, date, deadline, telephone, link, e-mail address and promise in an answer
 * of the model, and what supports it. `retida` is true when one of them has no support.
 */
export function checkAnswer(_answer: string, _evidence: Evidence): GuardVerdict {
  return { retida: false, afirmacoes: [] }
}
