import { stemOf } from '#order-text/stem.ts'
import { wordsOf } from '#rules/text.ts'
import { FILLER_WORDS, SAME_WORDS } from './lexicon.ts'

/** The words of a question that say what it is about. */

const STEMS_MAX = 12
const STEM_MIN = 3

/** Endings of verbs, of nouns made of verbs, and of gender. The longest one counts, because its place is the first. */
const ENDING =
  /(?:amento|imento|assem|essem|issem|ariam|eriam|iriam|aria|eria|iria|ando|endo|indo|aram|eram|iram|avam|adas?|idas?|ados?|idos?|ador|edor|idor|ava|(?<=.{5})ao|ou|eu|iu|ei|[aei]r|[ae][mn]|(?<!a)o|a|e)$/

const KNOWN_MAX = 50_000
const known = new Map<string, string>()
const sameStems = new Map<string, string>()

/** Stem of a folded word: no plural, no gender, no ending of a verb. Words with digits stay as they are. */
export function gapStem(word: string): string {
  const ready = known.get(word)
  if (ready !== undefined) return ready
  const cut = cutStem(word)
  const stem = sameStems.get(cut) ?? cut
  if (known.size >= KNOWN_MAX) known.clear()
  known.set(word, stem)
  return stem
}

function cutStem(word: string): string {
  const plain = stemOf(word)
  if (plain.length <= STEM_MIN || /\d/.test(plain)) return plain
  const cut = plain.replace(ENDING, '')
  return cut.length < STEM_MIN ? plain : cut
}

for (const line of SAME_WORDS) {
  const [first = '', ...others] = line.split(' ')
  for (const other of others) sameStems.set(cutStem(other), cutStem(first))
}

/** The different significant stems of a text, at most 12, in alphabetical order. */
export function significantStems(text: string): string[] {
  const stems = new Set<string>()
  for (const word of wordsOf(text)) {
    if (word.length < 2 || FILLER_WORDS.has(word) || !/[a-z]/.test(word)) continue
    stems.add(gapStem(word))
    if (stems.size === STEMS_MAX) break
  }
  return [...stems].toSorted()
}
