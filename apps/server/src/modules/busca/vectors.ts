import type { SearchTerm } from '@balcao/engine/search/words'

/** Digits of the conta id before each stored word. Words of another conta with the same digits are filtered out. */
const CONTA_DIGITS = 6

const keyOf = (contaId: string): string => contaId.slice(-CONTA_DIGITS)

export function withKey(contaId: string, words: Iterable<string>): string[] {
  return [...words].map((word) => `${keyOf(contaId)}${word}`)
}

/** The lexemes of a message, separated by spaces. */
export function lexemesOf(contaId: string, words: Iterable<string>): string {
  return withKey(contaId, words).join(' ')
}

/** The words of lexemes as `lexemesOf` writes them. */
export function wordsOfLexemes(lexemes: string): string[] {
  return lexemes.split(' ').map((lexeme) => lexeme.slice(CONTA_DIGITS))
}

/** Text of a `tsquery` for messages with all terms. Folded words contain letters and digits only, so they need no escapes. */
export function allOfTerms(contaId: string, terms: readonly SearchTerm[]): string {
  return terms.map((term) => lexemesOfTerm(contaId, term)).join(' & ')
}

/** Text of a `tsquery` for messages with one of the terms at least. */
export function anyOfTerms(contaId: string, terms: readonly SearchTerm[]): string {
  return terms.map((term) => lexemesOfTerm(contaId, term)).join(' | ')
}

function lexemesOfTerm(contaId: string, { word, beginning, corrections }: SearchTerm): string {
  const quoted = (one: string): string => `'${keyOf(contaId)}${one}'`
  const beginnings = beginning === null ? [] : [`${quoted(beginning)}:*`]
  return `(${[quoted(word), ...corrections.map(quoted), ...beginnings].join(' | ')})`
}
