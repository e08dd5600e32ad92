import { errorsBetween } from '#search/similar.ts'
import { shortenedForms, typingErrors } from '#order-text/stem.ts'

/** The stems of all texts, with typing errors corrected to the stem that more people use. */

/** A group has at least as many people. */
export const PEOPLE_MIN = 3
/** The correct stem has at least so many times the people of the misspelt one. */
const TIMES = 2

export interface CountedStem {
  readonly stem: string
  readonly people: number
}

/** By misspelt stem, the correct one. Independent of the order of `stems`. */
export function correctionsOfStems(stems: readonly CountedStem[]): ReadonlyMap<string, string> {
  const sorted = stems.toSorted((a, b) => b.people - a.people || (a.stem < b.stem ? -1 : 1))
  const correct = new Map<string, CountedStem[]>()
  const corrections = new Map<string, string>()
  for (const counted of sorted) {
    const { stem, people } = counted
    const errors = typingErrors(stem)
    if (errors === 0) continue
    const forms = shortenedForms(stem, errors)
    const target = forms
      .flatMap((form) => correct.get(form) ?? [])
      .filter((other) => other.people >= people * TIMES && isMisspelt(stem, other.stem))
      .toSorted((a, b) => b.people - a.people || (a.stem < b.stem ? -1 : 1))[0]
    if (target !== undefined) {
      corrections.set(stem, target.stem)
    } else if (people >= PEOPLE_MIN) {
      for (const form of forms) correct.set(form, [...(correct.get(form) ?? []), counted])
    }
  }
  return corrections
}

/** Two short stems with another first letter are two words: 'vegan' and 'pegan'. */
function isMisspelt(stem: string, other: string): boolean {
  if (stem[0] !== other[0]) return false
  return errorsBetween(stem, other) <= Math.min(typingErrors(stem), typingErrors(other))
}
