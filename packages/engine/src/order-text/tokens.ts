import { foldText } from '#rules/text.ts'
import { MEASURES, NUMBER_WORDS } from './lexicon.ts'

/** Words, numbers and breaks of a text. */

/** Longer texts are not orders. */
const SIGNS_MAX = 2000
const TOKEN = /\n|[.,;!?+&/]|r\$|\d+(?:[.,:]\d+)*|\p{L}[\p{L}\p{M}]*/giu
const KEYCAP = /[\ufe0f\u20e3]/g
const THOUSANDS = /^\d{1,3}(?:\.\d{3})+$/
const SHORT_WORDS: ReadonlyMap<string, string> = new Map([
  ['s', 'sem'],
  ['c', 'com'],
  ['p', 'para'],
])
const DOZEN = 12
/** Below it a separate 'g' is a size: '2 G' are two of size G, '50 g' is a weight. */
const GRAMS_MIN = 10

export interface Token {
  /** `soft` is a comma. `question` ends a sentence with '?'. */
  readonly kind: 'word' | 'number' | 'soft' | 'hard' | 'question'
  /** As the customer wrote it. */
  readonly raw: string
  /** Folded. Of a number its digits, of a measure both parts: `2l`. */
  readonly word: string
  /** Of numbers; NaN for times, prices and other words. */
  readonly value: number
  /** True for a number that `x` marks as a quantity: '2x', 'x2'. */
  readonly times: boolean
}

interface Sign {
  readonly raw: string
  readonly word: string
  readonly glued: boolean
}

/** Reads the first 2,000 signs of a text. */
export function tokenize(text: string): Token[] {
  const short = text.slice(0, SIGNS_MAX).replaceAll('🔟', '10').replaceAll('½', '1/2').replace(KEYCAP, '')
  let end = -1
  const signs = Array.from(short.matchAll(TOKEN), ({ 0: raw, index }): Sign => {
    const glued = index === end
    end = index + raw.length
    return { raw, word: raw === '\n' ? raw : foldText(raw), glued }
  })
  const tokens: Token[] = []
  for (let at = 0; at < signs.length;) at = readSign(signs, at, tokens)
  return joinNumbers(tokens)
}

const token = (kind: Token['kind'], raw: string, word = raw, value = NaN, times = false): Token => ({
  ...{ kind, raw, word, value, times },
})

const NO_SIGN: Sign = { raw: '', word: '', glued: false }

const signAt = (signs: readonly Sign[], at: number): Sign => signs[at] ?? NO_SIGN
const textAt = (signs: readonly Sign[], at: number): string => signAt(signs, at).word
const isGlued = (signs: readonly Sign[], at: number): boolean => signAt(signs, at).glued

const KINDS: ReadonlyMap<string, Token['kind']> = new Map([
  [',', 'soft'],
  ['?', 'question'],
  ...['\n', '.', ';', '!'].map((sign) => [sign, 'hard'] as const),
])

/** Adds one token and returns the position behind its signs. */
function readSign(signs: readonly Sign[], at: number, tokens: Token[]): number {
  const { raw, word } = signAt(signs, at)
  const kind = KINDS.get(word)
  if (kind !== undefined) tokens.push(token(kind, raw))
  else if (word === '+' || word === '&') tokens.push(token('word', 'e'))
  else if (/^\d/.test(word)) return readDigits(signs, at, tokens)
  else if (word !== '' && word !== '/') return readLetters(signs, at, tokens)
  return at + 1
}

/** A word, also 's/' for 'sem', 'x2' for a quantity and 'p13' for a name. */
function readLetters(signs: readonly Sign[], at: number, tokens: Token[]): number {
  const { raw, word } = signAt(signs, at)
  const next = textAt(signs, at + 1)
  const short = next === '/' && isGlued(signs, at + 1) ? SHORT_WORDS.get(word) : undefined
  const hasNumber = /^\d+$/.test(next)
  if (short !== undefined) tokens.push(token('word', short))
  else if (hasNumber && word === 'x') tokens.push(token('number', next, next, Number(next), true))
  else if (hasNumber && isGlued(signs, at + 1)) tokens.push(wordOf(raw + next, word + next))
  else {
    tokens.push(wordOf(raw, word))
    return at + 1
  }
  return at + 2
}

function wordOf(raw: string, word: string): Token {
  const value = NUMBER_WORDS.get(word)
  return value === undefined ? token('word', raw, word) : token('number', raw, String(value), value)
}

/** A number, '1/2', a measure such as '500 ml', or a quantity such as '2x'. */
function readDigits(signs: readonly Sign[], at: number, tokens: Token[]): number {
  const { raw, word } = signAt(signs, at)
  const [next, second, glued] = [textAt(signs, at + 1), textAt(signs, at + 2), isGlued(signs, at + 1)]
  const value = numberOf(word)
  if (`${word}${next}${second}` === '1/2') {
    tokens.push(token('word', 'metade'))
    return at + 3
  }
  const unit = MEASURES.get(next)
  const isMeasure = unit !== undefined && (unit !== 'g' || glued || value >= GRAMS_MIN)
  const isTimes = next === 'x' && (glued || /^\d+$/.test(second))
  if (isMeasure) tokens.push(token('word', `${raw}${glued ? '' : ' '}${next}`, `${value}${unit}`))
  else tokens.push(token('number', raw, Number.isNaN(value) ? word : String(value), value, isTimes))
  return isMeasure || isTimes ? at + 2 : at + 1
}

/** NaN for times such as '19:30'. */
const numberOf = (digits: string): number =>
  Number(THOUSANDS.test(digits) ? digits.replaceAll('.', '') : digits.replace(',', '.'))

/** Joins 'dois litros', 'vinte e cinco', 'meia dúzia', 'duas dúzias' and 'dúzia e meia' to one token each. */
function joinNumbers(tokens: readonly Token[]): Token[] {
  const joined: Token[] = []
  for (let at = 0; at < tokens.length;) at += joinNext(joined, tokens.slice(at, at + 3))
  return joined
}

/** Adds one token and returns the number of tokens that it joins. */
function joinNext(joined: Token[], [current, next, second]: readonly Token[]): number {
  if (current === undefined) return 1
  const after = next?.word === 'e' ? second : undefined
  const isHalf = after?.word === 'meia'
  if (/^duzias?$/.test(current.word)) {
    joinDozens(joined, current.raw, isHalf)
    return isHalf ? 3 : 1
  }
  if (after !== undefined && isTens(current, after)) {
    const value = current.value + after.value
    joined.push(token('number', `${current.raw} e ${after.raw}`, String(value), value))
    return 3
  }
  const measure = next === undefined ? null : measureOf(current, next)
  joined.push(measure ?? current)
  return measure === null ? 1 : 2
}

/** 'dois litros'. Single letters are sizes. */
function measureOf(number: Token, { raw, word }: Token): Token | null {
  const unit = word.length < 2 ? undefined : MEASURES.get(word)
  if (number.kind !== 'number' || unit === undefined) return null
  return token('word', `${number.raw} ${raw}`, `${number.value}${unit}`)
}

/** Replaces the number before 'dúzias'. */
function joinDozens(joined: Token[], raw: string, andHalf: boolean): void {
  const last = joined.at(-1)
  const counts = last?.word === 'meia' ? 0.5 : last?.kind === 'number' ? last.value : null
  if (counts !== null) joined.pop()
  const value = DOZEN * ((counts ?? 1) + (andHalf ? 0.5 : 0))
  joined.push(token('number', raw, String(value), value))
}

const isTens = (tens: Token, units: Token): boolean =>
  NUMBER_WORDS.has(foldText(tens.raw)) &&
  NUMBER_WORDS.has(foldText(units.raw)) &&
  ((tens.value >= 100 && units.value < 100) || (tens.value >= 20 && tens.value % 10 === 0 && units.value < 10))
