import { allowedErrors, errorsBetween } from '#search/similar.ts'
import { relatedRoots } from './related.ts'
import { rootsOf } from './roots.ts'

/** How the pieces of the sources are ranked for a question. */

/** Roots of a question that count. People ask in their last sentences. */
const ROOTS_MAX = 24
const RELATED_WEIGHT = 0.45
const SHARED_BEGINNING = 5
/** Pieces that are compared in full. The rarest roots choose them. */
const COMPARED_MAX = 1_500
const UNKNOWN_MAX = 6

export interface KnownWord {
  readonly palavra: string
  /** Pieces with the word. */
  readonly trechos: number
}

export interface SimilarWord extends KnownWord {
  /** The root of the question. */
  readonly procurada: string
}

export interface WeightedWord {
  readonly palavra: string
  /** For words of the question. 0 for others. */
  readonly exato: number
  /** Also for words of the same subject and for misspelt ones. */
  readonly amplo: number
}

export interface SearchWords {
  readonly palavras: readonly WeightedWord[]
  /** Words of which a piece has at least one. */
  readonly raras: readonly string[]
}

export interface QuestionRoots {
  readonly roots: readonly string[]
  /** All words to look up: the roots and those of their subjects. */
  readonly wanted: readonly string[]
}

export function questionRoots(question: string): QuestionRoots {
  const roots = rootsOf(question).slice(-ROOTS_MAX)
  return { roots, wanted: [...new Set(roots.flatMap((root) => [root, ...relatedRoots(root)]))] }
}

/** Roots that no piece has, for the search of similar words. */
export function unknownRoots({ roots }: QuestionRoots, known: readonly KnownWord[]): readonly string[] {
  const found = new Set(known.map(({ palavra }) => palavra))
  return roots.filter((root) => !found.has(root) && /^[a-z]{4,}$/.test(root)).slice(0, UNKNOWN_MAX)
}

/** A word counts by how few of all pieces have it. */
function rarity(trechos: number, total: number): number {
  return Math.log(1 + (total - trechos + 0.5) / (trechos + 0.5))
}

export function weighWords(
  { roots }: QuestionRoots,
  known: readonly KnownWord[],
  similar: readonly SimilarWord[],
  total: number,
): SearchWords {
  const frequency = new Map([...known, ...similar].map(({ palavra, trechos }) => [palavra, trechos]))
  const weights = new Map<string, WeightedWord>()
  const add = (palavra: string, exact: boolean, factor: number): void => {
    const trechos = frequency.get(palavra)
    if (trechos === undefined || trechos === 0) return
    const weight = rarity(trechos, Math.max(total, trechos)) * factor
    const before = weights.get(palavra) ?? { palavra, exato: 0, amplo: 0 }
    weights.set(palavra, { palavra, exato: exact ? weight : before.exato, amplo: Math.max(before.amplo, weight) })
  }
  for (const root of roots) {
    add(root, true, 1)
    for (const other of relatedRoots(root)) add(other, false, RELATED_WEIGHT)
  }
  for (const { procurada, palavra } of similar) add(palavra, false, likeness(procurada, palavra))
  const palavras = [...weights.values()]
  return { palavras, raras: rarest(palavras, frequency) }
}

function likeness(wanted: string, found: string): number {
  const errors = errorsBetween(wanted, found)
  if (errors <= allowedErrors(wanted)) return 0.9 - errors * 0.15
  const shared = Math.min(wanted.length, found.length)
  return shared >= SHARED_BEGINNING && wanted.slice(0, shared) === found.slice(0, shared) ? 0.5 : 0
}

function rarest(words: readonly WeightedWord[], frequency: ReadonlyMap<string, number>): string[] {
  const chosen: string[] = []
  let compared = 0
  for (const { palavra } of words.toSorted((a, b) => b.amplo - a.amplo)) {
    compared += frequency.get(palavra) ?? 0
    if (chosen.length > 0 && compared > COMPARED_MAX) break
    chosen.push(palavra)
  }
  return chosen
}

/** A greater one makes the first places of a list count less. */
const FUSION = 20

export interface FusedKey {
  readonly key: string
  readonly score: number
}

/** Reciprocal rank fusion of lists of keys, each best first. Equal scores keep the order of the first list. */
export function fuseRankings(lists: readonly (readonly string[])[]): readonly FusedKey[] {
  const scores = new Map<string, number>()
  for (const list of lists) {
    for (const [place, key] of list.entries()) scores.set(key, (scores.get(key) ?? 0) + 1 / (FUSION + place + 1))
  }
  return [...scores].map(([key, score]) => ({ key, score })).toSorted((a, b) => b.score - a.score)
}
