import { foldAccents } from '@balcao/contract/text/fold-accents'

/** Words of Portuguese text for the search: the terms of a query, and the places of a text that have them. */

const WORD = /[\p{L}\p{N}\p{M}]+/gu
const WORD_MAX = 40
/** A longer text counts with its beginning. */
const FOLDED_MAX = 4_096
const TERMS_MAX = 30
/** Shorter beginnings match too many words. */
const PREFIX_MIN = 3
const PLURAL = /^[a-z]{3,}s$/

export interface SearchTerm {
  readonly word: string
  /** Words that begin with this text match too. Null: none. */
  readonly beginning: string | null
  /** Words that match instead of a misspelt one. */
  readonly corrections: readonly string[]
}

export interface TextPart {
  readonly text: string
  readonly found: boolean
}

function foldLetters(word: string): string {
  return foldAccents(word).slice(0, WORD_MAX)
}

/** Words of four letters and more lose a final `s`. */
function foldPlural(word: string): string {
  return PLURAL.test(word) ? word.slice(0, -1) : word
}

/** Splits a query. Empty without letter or digit. */
export function parseSearch(query: string): readonly SearchTerm[] {
  return termsOf([...query.matchAll(WORD)].map(([word]) => foldLetters(word)))
}

/** The terms of a query with these folded words. The last word may be unfinished, so words that begin with it count. */
export function termsOf(words: readonly string[]): readonly SearchTerm[] {
  const written = words.filter((word) => word !== '')
  const last = written.length - 1
  const terms = written.map((word, index) => ({
    word: foldPlural(word),
    beginning: index === last && word.length >= PREFIX_MIN ? word : null,
    corrections: [],
  }))
  const byWord = new Map(terms.map((term) => [term.word, term]))
  return [...byWord.values()].slice(-TERMS_MAX)
}

function isFound(word: string, { word: wanted, beginning, corrections }: SearchTerm): boolean {
  return word === wanted || corrections.includes(word) || (beginning !== null && word.startsWith(beginning))
}

/** Splits a text into found words and the text between them. */
export function markTerms(text: string, terms: readonly SearchTerm[]): readonly TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(WORD)) {
    const folded = foldPlural(foldLetters(match[0]))
    if (!terms.some((term) => isFound(folded, term))) continue
    if (match.index > end) parts.push({ text: text.slice(end, match.index), found: false })
    end = match.index + match[0].length
    parts.push({ text: match[0], found: true })
  }
  if (end < text.length) parts.push({ text: text.slice(end), found: false })
  return parts
}

/** Start and end of each found word. */
export function foundRanges(text: string, terms: readonly SearchTerm[]): [number, number][] {
  let end = 0
  return markTerms(text, terms).flatMap((part): [number, number][] => {
    const start = end
    end += part.text.length
    return part.found ? [[start, end]] : []
  })
}

const EXCERPT_MAX = 160
/** Characters before the first found word. */
const EXCERPT_BEFORE = 40

/** Returns about 160 characters around the first found word, without line breaks. */
export function excerptOf(text: string, terms: readonly SearchTerm[]): string {
  const line = text.slice(0, FOLDED_MAX).normalize('NFC').replace(/\s+/g, ' ').trim()
  if (line.length <= EXCERPT_MAX) return line
  const [before] = markTerms(line, terms)
  const found = before === undefined || before.found ? 0 : before.text.length
  const wanted = found === line.length ? 0 : Math.max(0, found - EXCERPT_BEFORE)
  const start = wanted === 0 ? 0 : line.indexOf(' ', wanted - 1) + 1
  const from = start === 0 || start > found ? wanted : start
  const cut = line
    .slice(from, from + EXCERPT_MAX)
    .toWellFormed()
    .trim()
  return `${from > 0 ? '…' : ''}${cut}${from + EXCERPT_MAX < line.length ? '…' : ''}`
}
