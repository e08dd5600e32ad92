import type { SearchTerm } from '@balcao/engine/search/words'

/** Digits of the conta id before each stored word. Words of another conta with the same digits are filtered out. */
const CONTA_DIGITS = 6

const keyOf = (contaId: string): string => contaId.slice(-CONTA_DIGITS)

/** The lexemes of a message, separated by spaces. */
export function lexemesOf(contaId: string, words: Iterable<string>): string {
  return [...words].map((word) => `${keyOf(contaId)}${word}`).join(' ')
}

/** Text of a `tsquery`. Folded words contain letters and digits only, so they need no escapes. */
export function tsqueryOf(contaId: string, terms: readonly SearchTerm[]): string {
  const quoted = (word: string): string => `'${keyOf(contaId)}${word}'`
  return terms
    .map(({ word, beginning }) => (beginning === null ? quoted(word) : `(${quoted(word)} | ${quoted(beginning)}:*)`))
    .join(' & ')
}
