import { foldText } from '#rules/text.ts'
import { maskPersonalData } from '#ia/masking.ts'
import { FILLER_WORDS, NAME_PARTICLES } from './lexicon.ts'

/** Removes from the texts of customers the data of a person: numbers, addresses and the names of contatos. */

export const NAME_LABEL = '[nome oculto]'
export const NUMBER_LABEL = '[número oculto]'

const WORD = /[\p{L}\p{M}]+/gu
const LABELS = /\[(?:CPF|cartão|telefone|e-mail|número|nome) oculto\]/g
const NUMBER_LABELS = /(\[(?:CPF|cartão|telefone|e-mail|número) oculto\])/
const HAS_NUMBER_OR_ADDRESS = /[\d@]/
/** Digits of a number that may belong to a person, also when it is written in groups. */
const LONG_NUMBER = /\d(?:[\s./()-]{0,2}\d){5,}/g
const NAME_MIN = 3
/** A word that many more people write than have it in their name is no name: 'Entrega', 'Rosa' of a flower shop. */
const COMMON_USERS = 10
const COMMON_TIMES = 5
const FOLDED_MAX = 50_000
/** Names or texts between two interruptions. */
const SLICE = 1_000

/** Folds words with a memory, because the same words come again and again. */
export class WordFolder {
  readonly #folded = new Map<string, string>()

  fold(word: string): string {
    const known = this.#folded.get(word)
    if (known !== undefined) return known
    const folded = foldText(word)
    if (this.#folded.size < FOLDED_MAX) this.#folded.set(word, folded)
    return folded
  }

  /** The folded words of a text, without digits. */
  lettersOf(text: string): string[] {
    return Array.from(text.matchAll(WORD), ([word]) => this.fold(word))
  }
}

interface WrittenText {
  readonly pessoa: string
  readonly texto: string
}

/** Folded words of names that may not leave. */
export function* privateWordsOf(
  names: readonly string[],
  texts: readonly WrittenText[],
  folder: WordFolder,
): Generator<undefined, ReadonlySet<string>> {
  const carriers = yield* countCarriers(names, folder)
  const users = new Map<string, Set<string>>()
  for (const [index, { pessoa, texto }] of texts.entries()) {
    for (const word of folder.lettersOf(texto)) {
      if (carriers.has(word)) users.set(word, (users.get(word) ?? new Set()).add(pessoa))
    }
    if (index % SLICE === SLICE - 1) yield
  }
  const isCommon = (word: string, size: number): boolean =>
    size >= COMMON_USERS && size >= COMMON_TIMES * (carriers.get(word) ?? 0)
  const hidden = [...users].filter(([word, { size }]) => !isCommon(word, size))
  return new Set(hidden.map(([word]) => word))
}

/** By folded word of the names, how many names have it. */
function* countCarriers(
  names: readonly string[],
  folder: WordFolder,
): Generator<undefined, ReadonlyMap<string, number>> {
  const carriers = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    for (const word of new Set(folder.lettersOf(name.slice(0, 200)))) {
      const isPlain = word.length < NAME_MIN || NAME_PARTICLES.has(word) || FILLER_WORDS.has(word)
      if (!isPlain) carriers.set(word, (carriers.get(word) ?? 0) + 1)
    }
    if (index % SLICE === SLICE - 1) yield
  }
  return carriers
}

/** Returns the text as a single line without personal data. */
export function maskQuestion(text: string, hidden: ReadonlySet<string>, folder: WordFolder): string {
  const masked = HAS_NUMBER_OR_ADDRESS.test(text) ? maskPersonalData(text).replace(LONG_NUMBER, NUMBER_LABEL) : text
  const hide = (word: string): string => (hidden.has(folder.fold(word)) ? NAME_LABEL : word)
  return masked
    .split(NUMBER_LABELS)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(WORD, hide)))
    .join('')
    .replace(/(?:\[nome oculto\]\s*)+/g, `${NAME_LABEL} `)
    .replace(/\s+/g, ' ')
    .trim()
}

/** A masked text without its labels. */
export function withoutLabels(text: string): string {
  return text.includes('ocult') ? text.replace(LABELS, ' ') : text
}
