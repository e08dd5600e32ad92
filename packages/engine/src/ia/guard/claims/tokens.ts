import { addNumber, continuesNumber, parseDigits, spelledValue } from './numbers.ts'

/** Words, numbers and signs of a folded text. */

export interface AnswerToken {
  readonly kind: 'word' | 'number' | 'time' | 'date' | 'sign' | 'end'
  readonly text: string
  readonly start: number
  readonly end: number
  /** Of a number. Of a time, the minutes since midnight. Else NaN. */
  readonly value: number
  readonly spelled: boolean
  /** Digits behind the comma. Of 'doze e noventa', whose second number cannot continue the first, 2. */
  readonly decimals: number
}

const PARTS = new RegExp(
  [
    '(?<date>\\d{4}-\\d{2}-\\d{2}(?!\\d)|\\d{1,2}/\\d{1,2}(?:/\\d{4}|/\\d{2})?(?![\\d/]))',
    '(?<time>\\d{1,2}(?:[:h]|:h| h )[0-5]\\d(?:min|h)?(?![\\d:,])|\\d{1,2} ?(?:hrs|hs|h)(?![a-z\\d]))',
    '(?<number>\\d{1,3}(?:\\.\\d{3})+(?:,\\d{1,2})?(?!\\d)|\\d+(?:[.,]\\d{1,3})?(?!\\d)|\\d+)',
    '(?<word>(?:r|us|u)\\$|[a-z]+)',
    '(?<sign>\\S|\\n)',
  ].join('|'),
  'g',
)
const END: AnswerToken = { kind: 'end', text: '', start: 0, end: 0, value: NaN, spelled: false, decimals: 0 }

export function readTokens(folded: string): readonly AnswerToken[] {
  const tokens: AnswerToken[] = []
  for (const { 0: text, index: start, groups = {} } of folded.matchAll(PARTS)) {
    const token = { ...END, text, start, end: start + text.length }
    if (groups['date'] !== undefined) tokens.push({ ...token, kind: 'date' })
    else if (groups['time'] !== undefined) tokens.push({ ...token, kind: 'time', value: minutesOfTime(text) })
    else if (groups['number'] !== undefined) tokens.push(numberToken(token))
    else if (groups['sign'] !== undefined) tokens.push({ ...token, kind: 'sign' })
    else addWord(tokens, token)
  }
  return tokens
}

function numberToken(token: AnswerToken): AnswerToken {
  const value = parseDigits(token.text)
  const decimals = /[.,](\d{1,2})$/.exec(token.text)?.[1]?.length ?? 0
  return { ...token, kind: 'number', value, decimals }
}

function minutesOfTime(text: string): number {
  const [hours = 0, minutes = 0] = [...text.matchAll(/\d+/g)].map(({ 0: digits }) => Number(digits))
  return hours * 60 + minutes
}

/** A number word continues the number before it. */
function addWord(tokens: AnswerToken[], token: AnswerToken): void {
  const value = spelledValue(token.text)
  if (value === undefined) {
    tokens.push({ ...token, kind: 'word' })
    return
  }
  const hasAnd = tokens.at(-1)?.text === 'e'
  const first = tokens.at(hasAnd ? -2 : -1)
  const joined = first?.kind === 'number' ? joinNumbers(first, value, hasAnd) : null
  if (first !== undefined && joined !== null) {
    tokens.splice(hasAnd ? -2 : -1)
    tokens.push({ ...first, ...joined, end: token.end, text: `${first.text} ${token.text}` })
  } else tokens.push({ ...token, kind: 'number', value, spelled: true })
}

/** 'vinte e cinco' and '2 mil' are one number. 'doze e noventa' are twelve reais and ninety centavos. */
function joinNumbers(
  { value: first, spelled, decimals }: AnswerToken,
  second: number,
  hasAnd: boolean,
): Pick<AnswerToken, 'value' | 'decimals'> | null {
  if (!spelled && second !== 1000) return null
  if (continuesNumber(first, second)) return { value: addNumber(first, second), decimals }
  const isCents = hasAnd && spelled && decimals === 0 && second >= 10 && second < 100
  return isCents ? { value: first + second / 100, decimals: 2 } : null
}

export function answerTokenAt(tokens: readonly AnswerToken[], at: number): AnswerToken {
  return tokens[at] ?? END
}
