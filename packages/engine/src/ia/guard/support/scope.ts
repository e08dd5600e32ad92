import { findClaims } from '../claims/find-claims.ts'
import type { Claim } from '../types.ts'
import { spelledValue } from '../claims/numbers.ts'
import { type GuardText, readGuardText, topicOf } from '../claims/text.ts'
import { type Facts, factsOf } from './facts.ts'
import { type Catalogue, catalogueOf } from './mentions.ts'
import type { Evidence } from '../types.ts'

/** An answer with all that its claims are compared with. */
export interface Scope {
  readonly evidence: Evidence
  readonly facts: readonly Facts[]
  readonly catalogue: Catalogue
  readonly text: GuardText
  readonly claims: readonly Claim[]
  /** The folded text in which `;` and spaces stand for its sums, times and addresses. */
  readonly bare: string
  readonly sentences: readonly Span[]
  /** Folded, without its own claims. */
  readonly pergunta: string
  readonly topics: ReadonlySet<string>
  readonly questionTopics: ReadonlySet<string>
}

export interface Span {
  readonly start: number
  readonly end: number
}

const SENTENCE_END = /\n+|[.!?;](?=\s)/g

export function readScope(answer: string, evidence: Evidence): Scope {
  const text = readGuardText(answer)
  const question = readGuardText((evidence.pergunta ?? '').slice(-4_096))
  const pergunta = withoutClaims(question, findClaims(question))
  const claims = findClaims(text)
  return {
    ...{ evidence, text, pergunta, claims },
    bare: withoutClaims(text, claims),
    // To read the pieces takes longer than all the rest, and an answer without claims needs none of them.
    facts: claims.length === 0 ? [] : factsOf(evidence),
    catalogue: catalogueOf(evidence.contexto.produtos),
    sentences: sentencesOf(text.folded),
    topics: new Set(topicOf(text.shown)),
    questionTopics: new Set(topicOf(pergunta)),
  }
}

/** A sum or a time must not become a quantity. */
function withoutClaims({ folded }: GuardText, claims: readonly Claim[]): string {
  let output = ''
  let copied = 0
  for (const { start, end, kind } of claims) {
    if (kind === 'palavra' || start < copied) continue
    output += `${folded.slice(copied, start)};${' '.repeat(end - start - 1)}`
    copied = end
  }
  return output + folded.slice(copied)
}

function sentencesOf(folded: string): readonly Span[] {
  const ends = [...folded.matchAll(SENTENCE_END)].map(({ 0: text, index }) => index + text.length)
  return [...ends, folded.length].map((end, at, all) => ({ start: all[at - 1] ?? 0, end }))
}

export function sentenceAt({ sentences, text }: Scope, at: number): Span {
  return sentences.find(({ start, end }) => at >= start && at < end) ?? { start: 0, end: text.folded.length }
}

export const isIn = (claim: Claim, { start, end }: Span): boolean => claim.start >= start && claim.end <= end

/** The value of a quantity in digits or words. */
export function quantityOf(word: string): number | null {
  if (/^\d+$/.test(word)) return Number(word)
  if (word === 'duzia') return 12
  return spelledValue(word) ?? null
}
