import type { Claim, FoundClaim } from '../types.ts'
import { dateClaim } from './dates.ts'
import { durationClaim } from './durations.ts'
import { moneyClaim } from './money.ts'
import { timeClaim } from './times.ts'
import { readTokens, type AnswerToken, answerTokenAt } from './tokens.ts'

type Reader = (tokens: readonly AnswerToken[], at: number) => FoundClaim | null

const READERS: readonly Reader[] = [percentClaim, durationClaim, timeClaim, moneyClaim, dateClaim]

/** Finds sums of money, percentages, times, dates and deadlines. */
export function findQuantities(folded: string): readonly Claim[] {
  const tokens = readTokens(folded)
  const claims: Claim[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const found = readAt(tokens, at)
    if (found === null) continue
    const { kind, keys, value, first, last } = found
    claims.push({ kind, keys, value, start: answerTokenAt(tokens, first).start, end: answerTokenAt(tokens, last).end })
    at = last
  }
  return claims
}

function readAt(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  for (const read of READERS) {
    const found = read(tokens, at)
    if (found !== null) return found
  }
  return null
}

function percentClaim(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const { kind, value } = answerTokenAt(tokens, at)
  if (kind !== 'number') return null
  const [next, second] = [answerTokenAt(tokens, at + 1).text, answerTokenAt(tokens, at + 2)]
  const last =
    next === '%' ? at + 1 : next === 'por' && (second.text === 'cento' || second.value === 100) ? at + 2 : null
  return last === null ? null : { kind: 'percentual', first: at, last, keys: [`%:${value}`], value }
}
