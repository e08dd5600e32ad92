import type { FoundClaim } from '../types.ts'
import { type AnswerToken, answerTokenAt } from './tokens.ts'

const HOUR_UNITS = new Set(['horas', 'hora', 'hrs', 'hs'])
/** Words before the hour of a clock. */
const CLOCK_WORDS = new Set(['as', 'das'])
const BEHIND_CLOCK = new Set(
  'e da de em as ate no nos na a todos hoje amanha ou , . ; ! ? ) ( - segunda terca quarta quinta sexta sabado domingo para aos ao'.split(
    ' ',
  ),
)
const DAY_PARTS = new Set(['manha', 'tarde', 'noite', 'madrugada'])
/** Behind them 'N horas' is a length. */
const LENGTH_WORDS = new Set(
  'em dentro leva demora cerca uns umas aproximadamente minimo prazo mais ate por de'.split(' '),
)

/** '9h30', '09:30', 'às nove e meia', 'meio-dia', '8 da noite'. */
export function timeClaim(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const token = answerTokenAt(tokens, at)
  if (token.kind === 'time') return withDayPart(tokens, { first: at, last: at }, token.value, false)
  if (token.text === 'meio' || token.text === 'meia') return noonOrMidnight(tokens, at)
  if (token.kind !== 'number' || token.value >= 25) return null
  return wordedTime(tokens, at)
}

function noonOrMidnight(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const second = answerTokenAt(tokens, at + 1).text === '-' ? at + 2 : at + 1
  const name = answerTokenAt(tokens, second).text
  if (name !== 'dia' && name !== 'noite') return null
  const isHalf = answerTokenAt(tokens, second + 1).text === 'e' && answerTokenAt(tokens, second + 2).text === 'meia'
  const minutes = (name === 'dia' ? 720 : 1440) + (isHalf ? 30 : 0)
  return time({ first: at, last: isHalf ? second + 2 : second }, [minutes % 1440, minutes])
}

function wordedTime(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const before = answerTokenAt(tokens, at - 1).text
  const clock = CLOCK_WORDS.has(before)
  const hasUnit = HOUR_UNITS.has(answerTokenAt(tokens, at + 1).text)
  const inRange = isRangeStart(tokens, at)
  // 'Duas horas' without a word of the clock is a length.
  if (hasUnit && !clock && before !== 'a' && !inRange) return null
  const { last, more } = minutesBehind(tokens, hasUnit ? at + 1 : at, clock)
  const isNamed = more === 0 && (hasUnit || inRange)
  if (!isNamed && !isDayPart(tokens, last) && !(clock && isClockEnd(tokens, at, last))) return null
  return withDayPart(tokens, { first: at, last }, clockMinutes(answerTokenAt(tokens, at)) + more, true)
}

/** 'oito e trinta' is read as 8,30. */
const clockMinutes = ({ value, decimals }: AnswerToken): number =>
  Math.floor(value) * 60 + (decimals === 2 ? Math.round((value % 1) * 100) : 0)

const isClockEnd = (tokens: readonly AnswerToken[], at: number, last: number): boolean =>
  last > at || isBehindClock(answerTokenAt(tokens, at + 1))

/** 'e meia', 'e 15'. */
function minutesBehind(tokens: readonly AnswerToken[], last: number, clock: boolean): { last: number; more: number } {
  const { kind, text, value } = answerTokenAt(tokens, last + 2)
  if (answerTokenAt(tokens, last + 1).text !== 'e') return { last, more: 0 }
  if (text === 'meia') return { last: last + 2, more: 30 }
  const isMinutes = clock && kind === 'number' && value < 60 && Number.isInteger(value)
  return isMinutes ? { last: last + 2, more: value } : { last, more: 0 }
}

const isBehindClock = ({ kind, text }: AnswerToken): boolean =>
  kind === 'end' || text === '\n' || BEHIND_CLOCK.has(text)

/** '8 às 18h', '8 a 12h', '8-18h'. */
function isRangeStart(tokens: readonly AnswerToken[], at: number): boolean {
  if (!['as', 'a', '-'].includes(answerTokenAt(tokens, at + 1).text)) return false
  const { kind } = answerTokenAt(tokens, at + 2)
  const unit = answerTokenAt(tokens, at + 3).text
  return kind === 'time' || (kind === 'number' && unit === 'horas' && answerTokenAt(tokens, at + 1).text === 'as')
}

const isDayPart = (tokens: readonly AnswerToken[], last: number): boolean =>
  answerTokenAt(tokens, last + 1).text === 'da' && DAY_PARTS.has(answerTokenAt(tokens, last + 2).text)

function withDayPart(
  tokens: readonly AnswerToken[],
  span: Pick<FoundClaim, 'first' | 'last'>,
  minutes: number,
  worded: boolean,
): FoundClaim | null {
  if (minutes > 1440) return null
  if (isDayPart(tokens, span.last)) {
    const part = answerTokenAt(tokens, span.last + 2).text
    const isLate = (part === 'tarde' || part === 'noite') && minutes < 720
    return time({ ...span, last: span.last + 2 }, [isLate ? minutes + 720 : minutes % 1440])
  }
  const isAllDay = minutes === 1440
  const others = worded && minutes < 720 ? [minutes + 720] : isAllDay ? [0] : []
  const found = time(span, [minutes, ...others])
  return isAllDay ? { ...found, keys: [...found.keys, 'd:1440'] } : found
}

const time = (span: Pick<FoundClaim, 'first' | 'last'>, minutes: readonly number[]): FoundClaim => ({
  ...span,
  kind: 'hora',
  keys: minutes.map((minute) => `t:${minute}`),
  value: minutes[0] ?? NaN,
})

/** True if the time at this token is a length: 'em 2h', 'dentro de 1h30'. */
export function isLengthAt(tokens: readonly AnswerToken[], at: number): boolean {
  const before = answerTokenAt(tokens, at - 1).text
  if (before === 'ate' || before === 'de') return LENGTH_WORDS.has(answerTokenAt(tokens, at - 2).text)
  return LENGTH_WORDS.has(before)
}
