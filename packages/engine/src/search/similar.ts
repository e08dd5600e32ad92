/** Words that are similar to a misspelt one. Words are folded: lower case, no accents, no plural `s`. */

const LETTERS = /^[a-z]+$/
const ONE_ERROR_MIN = 4
const TWO_ERRORS_MIN = 8
const WORD_MAX = 24
const CORRECTIONS_MAX = 3

/** A word of the vocabulary. `count`: messages with the word. */
export interface CountedWord {
  readonly word: string
  readonly count: number
}

/** Typing errors that a word may have: none below 4 letters and with digits, 1 below 8 letters, 2 up to 24. */
export function allowedErrors(word: string): 0 | 1 | 2 {
  if (!LETTERS.test(word) || word.length < ONE_ERROR_MIN || word.length > WORD_MAX) return 0
  return word.length < TWO_ERRORS_MIN ? 1 : 2
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
