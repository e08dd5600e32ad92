import type { FoundClaim } from '../types.ts'
import { isLengthAt } from './times.ts'
import { type AnswerToken, answerTokenAt } from './tokens.ts'

/** Deadlines and lengths: 'em 40 minutos', '30 a 40 min', 'meia hora', '2 dias úteis'. */

const MINUTES: ReadonlyMap<string, number> = new Map([
  ...['min', 'mins', 'minuto', 'minutos', 'minutinhos'].map((unit) => [unit, 1] as const),
  ...['hora', 'horas', 'hrs', 'hs', 'h', 'horinhas'].map((unit) => [unit, 60] as const),
  ...['dia', 'dias'].map((unit) => [unit, 1440] as const),
  ...['semana', 'semanas'].map((unit) => [unit, 10_080] as const),
  ...['mes', 'meses'].map((unit) => [unit, 43_200] as const),
  ...['ano', 'anos'].map((unit) => [unit, 525_600] as const),
  ...['segundo', 'segundos', 'seg'].map((unit) => [unit, 1 / 60] as const),
])
const RANGE_WORDS = new Set(['a', 'ou', 'e', '-', 'ate'])

export function durationClaim(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const token = answerTokenAt(tokens, at)
  if (token.kind === 'time') return isLengthAt(tokens, at) ? duration(at, at, token.value, '') : null
  if (token.text === 'meia' && answerTokenAt(tokens, at + 1).text === 'hora') return duration(at, at + 1, 30, '')
  if (token.kind !== 'number') return null
  return countedUnit(tokens, at, at + 1) ?? rangeStart(tokens, at)
}

function countedUnit(tokens: readonly AnswerToken[], at: number, unitAt: number): FoundClaim | null {
  const unit = MINUTES.get(answerTokenAt(tokens, unitAt).text)
  if (unit === undefined || isClock(tokens, at, unitAt)) return null
  const { value, spelled } = answerTokenAt(tokens, at)
  // 'Só um minuto' is no deadline.
  if (spelled && value === 1 && unit <= 1) return null
  const isHalf =
    answerTokenAt(tokens, unitAt + 1).text === 'e' && /^mei[ao]$/.test(answerTokenAt(tokens, unitAt + 2).text)
  const last = isHalf ? unitAt + 2 : unitAt
  const isWorking =
    answerTokenAt(tokens, last + 1).text.startsWith('ute') || answerTokenAt(tokens, last + 1).text === 'util'
  const minutes = (value + (isHalf ? 0.5 : 0)) * unit
  return duration(at, isWorking ? last + 1 : last, minutes, isWorking ? 'uteis' : '')
}

/** '9 horas' behind 'às' is a time. 'às 18 horas' is found by the reader of times. */
function isClock(tokens: readonly AnswerToken[], at: number, unitAt: number): boolean {
  if (MINUTES.get(answerTokenAt(tokens, unitAt).text) !== 60) return false
  const before = answerTokenAt(tokens, at - 1).text
  return before === 'as' || before === 'das'
}

/** '30' of '30 a 40 minutos'. */
function rangeStart(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  if (!RANGE_WORDS.has(answerTokenAt(tokens, at + 1).text) || answerTokenAt(tokens, at + 2).kind !== 'number')
    return null
  const found = countedUnit(tokens, at + 2, at + 3)
  const unit = MINUTES.get(answerTokenAt(tokens, at + 3).text)
  if (found === null || unit === undefined) return null
  const isWorking = found.keys[0]?.endsWith('uteis') === true
  return duration(at, at, answerTokenAt(tokens, at).value * unit, isWorking ? 'uteis' : '')
}

const duration = (first: number, last: number, minutes: number, suffix: string): FoundClaim => ({
  ...{ kind: 'prazo', first, last, value: minutes },
  keys: [`d:${Math.round(minutes * 60) / 60}${suffix}`],
})
