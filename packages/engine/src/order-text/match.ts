import {
  type CatalogueIndex,
  type KnownToken,
  type NamePhrase,
  type OptionPhrase,
  type Phrase,
  SHORT_FORMS,
} from './catalogue-index.ts'
import { CHATTER_WORDS, FILLERS, LINKS, NOTE_WORDS, ORDER_VERBS } from './lexicon.ts'

/** Names of produtos and options at one place of a text. */

const LINKS_MAX = 2
const COMMON = [FILLERS, ORDER_VERBS, NOTE_WORDS, CHATTER_WORDS]
/** From this number on a bare number may be a measure: 'coca 600'. */
const BARE_MEASURE_MIN = 100

interface Reading {
  /** Bit set of the phrase's words that the text has. */
  readonly used: number
  readonly covered: number
  /** Words of the text that mean nothing but a name. */
  readonly strong: number
  readonly errors: number
  readonly end: number
}

/** A produto or option that fits best, or several. */
export interface NameMatch {
  readonly end: number
  /** The only one that fits, as its position in the catalogue. */
  readonly produto: number | null
  readonly candidates: readonly number[]
  /** True if the text has one word that is not the first of the name: 'limão' for 'Torta de limão'. */
  readonly weak: boolean
  /** True if the text has the first word of the name. */
  readonly named: boolean
  readonly complete: boolean
  readonly covered: number
  readonly errors: number
}

export interface OptionMatch {
  readonly end: number
  readonly option: OptionPhrase
  readonly covered: number
}

/** Reads as many words of the phrase as follow each other in the text, in any order. */
function readPhrase(tokens: readonly KnownToken[], start: number, phrase: Phrase, semId: SemId): Reading {
  let [used, covered, strong, errors, end, links, last] = [0, 0, 0, 0, start, 0, -1]
  for (let at = start; at < tokens.length;) {
    const token = tokens[at]
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'number')) break
    const found = findWord(tokens, at, { phrase, semId, used, last })
    if (found >= 0) {
      used |= 1 << found
      covered += 1
      if (!COMMON.some((set) => set.has(token.word)) || token.word === 'sem') strong += 1
      errors += token.errors
      last = found
      at += token.word === 'sem' ? 2 : 1
      end = at
      links = 0
    } else if (covered > 0 && links < LINKS_MAX && isLink(token.word, phrase)) {
      links += 1
      at += 1
    } else break
  }
  return { used, covered, strong, errors, end }
}

const isLink = (word: string, { hasE }: Phrase): boolean => LINKS.has(word) || (hasE && word === 'e')

type SemId = (next: KnownToken | undefined) => number

interface Progress {
  readonly phrase: Phrase
  readonly semId: SemId
  /** Bit set of the words that the text had before. */
  readonly used: number
  readonly last: number
}

/** The word of the phrase at `at`, or -1. 'sem' and its word are one. */
function findWord(tokens: readonly KnownToken[], at: number, { phrase, semId, used, last }: Progress): number {
  const isFree = (word: number) => (used & (1 << word)) === 0
  const token = tokens[at]
  if (token?.word === 'sem') {
    const word = phrase.words.indexOf(semId(tokens[at + 1]))
    return isFree(word) ? word : -1
  }
  if (token?.kind === 'number')
    return phrase.words.findIndex((_, word) => isFree(word) && fitsNumber(tokens, at, { phrase, word, last }))
  return phrase.words.findIndex((id, word) => isFree(word) && token?.ids.includes(id) === true)
}

/** A number needs its neighbours in the name too, or it is a quantity. */
function fitsNumber(
  tokens: readonly KnownToken[],
  at: number,
  { phrase, word, last }: { readonly phrase: Phrase; readonly word: number; readonly last: number },
): boolean {
  const token = tokens[at]
  const id = phrase.words[word]
  if (token === undefined || id === undefined || token.times) return false
  if (token.measureIds.includes(id)) return last >= 0 && isBareMeasure(token, tokens[at - 1])
  if (!token.ids.includes(id) || last !== word - 1) return false
  const next = phrase.words[word + 1]
  return next === undefined || phrase.light[word + 1] === true || tokens[at + 1]?.ids.includes(next) === true
}

const isBareMeasure = ({ value }: KnownToken, before: KnownToken | undefined): boolean =>
  value >= BARE_MEASURE_MIN || before?.word === 'de'

const semIdIn =
  ({ ids }: CatalogueIndex): SemId =>
  (next) =>
    next === undefined ? -1 : (ids.get(`~${next.stem}`) ?? -1)

/** True if the greater name has all words of the small one and a further word that a customer would say. */
function isVariant(small: Candidate, great: Phrase): boolean {
  const { phrase } = small
  const saysPackage = phrase.light.some((light, word) => light && hasWord(small, word))
  const isExtra = (id: number, word: number) =>
    !phrase.words.includes(id) && (saysPackage || (great.light[word] !== true && great.digits[word] !== true))
  return phrase.words.every((id) => great.words.includes(id)) && great.words.some(isExtra)
}

const hasWord = ({ used }: Reading, word: number): boolean => (used & (1 << word)) !== 0

interface Candidate extends Reading {
  readonly phrase: NamePhrase
  readonly complete: boolean
  readonly head: boolean
}

/** The produtos whose names have the words from `at` on. Null if no name has a word of the text. */
export function matchName(tokens: readonly KnownToken[], at: number, index: CatalogueIndex): NameMatch | null {
  const semId = semIdIn(index)
  const [token, next] = [tokens[at], tokens[at + 1]]
  if (token === undefined) return null
  const ids = token.word === 'sem' ? [semId(next)] : token.ids
  const phrases = new Set(ids.flatMap((id) => index.namesByWord.get(id) ?? []))
  let best: Candidate[] = []
  for (const phrase of phrases) {
    const candidate = candidateOf(phrase, readPhrase(tokens, at, phrase, semId))
    if (candidate === null) continue
    const order = best[0] === undefined ? 1 : compare(candidate, best[0])
    if (order > 0) best = [candidate]
    else if (order === 0) best.push(candidate)
  }
  return best.length === 0 ? null : choose(best, tokens, at, index)
}

const compare = (one: Reading, other: Reading): number => one.covered - other.covered || other.errors - one.errors

/** Null if the text has only packages and numbers of the name, or only words such as 'bom' of 'Bom Bocado'. */
function candidateOf(phrase: NamePhrase, reading: Reading): Candidate | null {
  const first = phrase.light.indexOf(false)
  const complete = phrase.light.every((light, word) => (light && word > first) || hasWord(reading, word))
  const namesIt = phrase.light.some((light, word) => !light && phrase.digits[word] !== true && hasWord(reading, word))
  if (!namesIt || (reading.strong === 0 && !complete)) return null
  return { ...reading, phrase, complete, head: hasWord(reading, first) }
}

function choose(
  best: readonly Candidate[],
  tokens: readonly KnownToken[],
  at: number,
  index: CatalogueIndex,
): NameMatch {
  const whole = best.filter(({ complete }) => complete)
  const named = best.filter(({ head }) => head)
  const narrowed = firstFilled(whole, named, best)
  const kept = narrowed.filter(({ phrase }) => !narrowed.some((other) => isVariant(other, phrase)))
  const produtos = [...new Set(kept.map(({ phrase }) => phrase.produto))]
  const { covered, errors, end } = best[0] ?? { covered: 0, errors: 0, end: at }
  const isNamed = whole.length + named.length > 0
  return {
    end: kept[0]?.end ?? end,
    produto: produtos.length === 1 ? (produtos[0] ?? null) : null,
    candidates: [...new Set(firstFilled(named, best).map(({ phrase }) => phrase.produto))],
    named: isNamed,
    weak: !isNamed && covered === 1 && !namesOneOfItsKind(kept, tokens[at], index),
    complete: whole.length > 0,
    covered,
    errors,
  }
}

const firstFilled = (...lists: readonly (readonly Candidate[])[]): readonly Candidate[] =>
  lists.find((list) => list.length > 0) ?? []

/** True for 'heineken' if only one of several produtos that start with 'Cerveja' has that word. */
function namesOneOfItsKind(kept: readonly Candidate[], token: KnownToken | undefined, index: CatalogueIndex): boolean {
  const [only] = kept
  if (only === undefined || kept.length > 1 || token === undefined || SHORT_FORMS.has(token.word)) return false
  const { phrase } = only
  const kind = index.produtosByHead.get(phrase.words[phrase.light.indexOf(false)] ?? -1)
  const isLinked = phrase.linked.some((linked, word) => linked && hasWord(only, word))
  return !isLinked && (kind?.size ?? 0) > 1 && token.ids.every((id) => !index.produtosByOptionWord.has(id))
}

/** The option of a produto, or of one of its groups, that the text has at `at`. Null if none fits, or several. */
export function matchOption(
  tokens: readonly KnownToken[],
  at: number,
  produto: number,
  index: CatalogueIndex,
  grupo: number | null = null,
): OptionMatch | null {
  if (tokens[at]?.ids.length === 0 && tokens[at].measureIds.length === 0 && tokens[at].word !== 'sem') return null
  const semId = semIdIn(index)
  const readings = (index.options[produto] ?? [])
    .filter((option) => grupo === null || option.grupo === grupo)
    .map((option) => ({ ...readOption(tokens, at, option, semId), option }))
    .filter(({ covered }) => covered > 0)
  const most = Math.max(...readings.map(({ covered }) => covered))
  const exact = Math.min(...readings.filter(({ covered }) => covered === most).map(({ errors }) => errors))
  const best = readings.filter(({ covered, errors }) => covered === most && errors === exact)
  const whole = best.filter(({ option }) => option.words.length === most)
  const named = best.filter(({ used }) => (used & 1) !== 0)
  const kept = whole.length > 0 ? whole : named.length > 0 ? named : best
  const [first] = kept
  if (first === undefined || kept.some(({ option }) => option.opcaoId !== first.option.opcaoId)) return null
  return { end: first.end, option: first.option, covered: first.covered }
}

/** A bare number may be the measure of an option: '500' for '500 ml'. */
function readOption(tokens: readonly KnownToken[], at: number, option: OptionPhrase, semId: SemId): Reading {
  const token = tokens[at]
  const [first] = option.words
  const isMeasure =
    first !== undefined && token?.measureIds.includes(first) === true && token.value >= BARE_MEASURE_MIN && !token.times
  return isMeasure ? { used: 1, covered: 1, strong: 1, errors: 0, end: at + 1 } : readPhrase(tokens, at, option, semId)
}
