/** Words that are similar to a misspelt one. Words are folded: lower case, no accents, no plural `s`. */

const LETTERS = /^[a-z]+$/
/** Shorter words have no trigram that a typing error leaves, or too many similar ones. */
export const VOCABULARY_WORD_MIN = 3
export const VOCABULARY_WORD_MAX = 24
const ONE_ERROR_MIN = 4
const TWO_ERRORS_MIN = 8
/** Trigrams that one typing error can change: two letters that change places are part of four. */
const TRIGRAMS_PER_ERROR = 4
const CORRECTIONS_MAX = 3

/** A word of the vocabulary. `count`: messages with the word. */
export interface CountedWord {
  readonly word: string
  readonly count: number
}

/** True for words that may correct others: 3 to 24 letters without digits. */
export function isVocabularyWord(word: string): boolean {
  return word.length >= VOCABULARY_WORD_MIN && word.length <= VOCABULARY_WORD_MAX && LETTERS.test(word)
}

/** Typing errors that a word may have: none below 4 letters and with digits, 1 below 8 letters, then 2. */
export function allowedErrors(word: string): 0 | 1 | 2 {
  if (!isVocabularyWord(word) || word.length < ONE_ERROR_MIN) return 0
  return word.length < TWO_ERRORS_MIN ? 1 : 2
}

/** The distinct trigrams of a word between two spaces before it and one after it. */
export function trigramsOf(word: string): readonly string[] {
  const padded = `  ${word} `
  return [...new Set(Array.from({ length: word.length + 1 }, (_, start) => padded.slice(start, start + 3)))]
}

/** Trigrams of `word` that each word within its allowed errors has, at least one. */
export function sharedTrigrams(word: string): number {
  return Math.max(1, trigramsOf(word).length - TRIGRAMS_PER_ERROR * allowedErrors(word))
}

/**
 * Returns the number of typing errors between two words. An error inserts, leaves out or replaces a letter, or swaps two
 * neighbours. The algorithm is optimal string alignment, also called restricted Damerau-Levenshtein distance: it changes
 * each letter at most once.
 */
export function errorsBetween(one: string, other: string): number {
  let beforeLast: readonly number[] = []
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1]
      const swapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current.push(
        Math.min(
          cell(last, column) + 1,
          cell(current, column - 1) + 1,
          cell(last, column - 1) + (same ? 0 : 1),
          swapped ? cell(beforeLast, column - 2) + 1 : Infinity,
        ),
      )
    }
    beforeLast = last
    last = current
  }
  return cell(last, other.length)
}

const cell = (row: readonly number[], column: number): number => row[column] ?? Infinity

/** At most three words within the allowed errors of `word`: fewest errors first, then the most frequent ones. */
export function correctionsOf(word: string, candidates: readonly CountedWord[]): readonly string[] {
  const allowed = allowedErrors(word)
  return candidates
    .map((candidate) => ({ ...candidate, errors: errorsBetween(word, candidate.word) }))
    .filter(({ errors }) => errors > 0 && errors <= allowed)
    .toSorted((a, b) => a.errors - b.errors || b.count - a.count || (a.word < b.word ? -1 : 1))
    .slice(0, CORRECTIONS_MAX)
    .map(({ word: corrected }) => corrected)
}
