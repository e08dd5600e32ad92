import { allowedErrors } from '#search/similar.ts'

/** Forms in which words of customers and of produtos are compared. */

const LETTERS = /^[a-z]+$/
const WORD_MAX = 24
const LETTERS_PER_ERROR = 5

const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/[cs]h/g, 'x'],
  [/oo/g, 'u'],
  [/ph/g, 'f'],
  [/y/g, 'i'],
  [/k/g, 'c'],
  [/w/g, 'v'],
  [/([a-z])\1+/g, '$1'],
]

const ENDINGS: readonly (readonly [RegExp, string])[] = [
  [/quinh([ao])s?$/, 'c$1'],
  [/z(?:inh)[ao]s?$/, ''],
  [/(?:oe|ae)s?$/, 'ao'],
  [/([aeou])is$/, '$1l'],
  [/ns$/, 'm'],
]

/**
 * Returns a folded word without plural, diminutive `-zinho` and double letters, with `ch` and `sh` as `x`. Words with
 * digits stay as they are.
 */
export function stemOf(word: string): string {
  if (!LETTERS.test(word) || word.length > WORD_MAX) return word
  let stem = word
  for (const [ending, other] of stem.length < 4 ? [] : ENDINGS)
    if (stem.replace(ending, other).length > 2) stem = stem.replace(ending, other)
  // 'franceses' loses 's', 'e' and 's', 'frances' loses one 's': both end the same.
  for (let before = ''; before !== stem && stem.length > 3;) {
    before = stem
    stem = stem.replace(/s$|(?<=[rzs])e$/, '')
  }
  if (word.length > 2) for (const [spelling, other] of SPELLINGS) stem = stem.replace(spelling, other)
  return stem
}

/** Typing errors that a stem may have: one per five letters, at most two. None with digits. */
export function typingErrors(stem: string): number {
  return allowedErrors(stem) === 0 ? 0 : Math.min(2, Math.floor(stem.length / LETTERS_PER_ERROR))
}

/** The word and the words with up to `errors` letters fewer. Two words with an error between them share one. */
export function shortenedForms(word: string, errors: number): readonly string[] {
  const forms = new Set([word])
  let last: readonly string[] = [word]
  for (let round = 0; round < errors; round += 1) {
    last = last.flatMap((form) => Array.from(form, (_, at) => form.slice(0, at) + form.slice(at + 1)))
    for (const form of last) forms.add(form)
  }
  return [...forms]
}
