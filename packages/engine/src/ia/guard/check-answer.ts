import type { Afirmacao } from '@balcao/contract/entities/resposta-ia'
import { cleanResposta } from '#ia/resposta.ts'
import { countedNouns, countsAgree } from './claims/counts.ts'
import { topicOf } from './claims/text.ts'
import { type Fact, type Support, dayKeys } from './support/facts.ts'
import { countsIn, GRAND_TOTAL, supportMoney, type StatedSum } from './support/money.ts'
import { namedProdutos, nameWords } from './support/mentions.ts'
import { supportPromise } from './support/promises.ts'
import { promisesNothing, resolveDays, supportSchedule } from './support/schedule.ts'
import { isIn, readScope, type Scope, sentenceAt } from './support/scope.ts'
import type { Claim, Evidence, GuardVerdict } from './types.ts'

/** An answer with more claims than a long price list has is withheld unread, so that a hostile one takes no time. */
const CLAIMS_MAX = 150

/**
 * Finds every sum of money, percentage, time, date, deadline, telephone, link, e-mail address and promise in an answer
 * of the model, and what supports it. `retida` is true when one of them has no support. Reads the text as it would be
 * sent.
 */
export function checkAnswer(answer: string, evidence: Evidence): GuardVerdict {
  const scope = readScope(cleanResposta(answer), evidence)
  const stated: StatedSum[] = []
  const claims = scope.claims.filter((claim) => !promisesNothing(scope, claim))
  const afirmacoes = claims.map((claim): Afirmacao => {
    const apoio = claims.length > CLAIMS_MAX ? null : supportOf(scope, claim, stated)
    if (apoio !== null && claim.kind === 'dinheiro') stated.push({ centavos: claim.value, apoio })
    return { texto: scope.text.shown.slice(claim.start, claim.end).trim(), apoio }
  })
  return { retida: afirmacoes.some(({ apoio }) => apoio === null), afirmacoes }
}

function supportOf(scope: Scope, claim: Claim, stated: readonly StatedSum[]): Support | null {
  switch (claim.kind) {
    case 'dinheiro':
      return supportMoney(scope, claim, stated) ?? supportByText(scope, claim)
    case 'hora':
    case 'data':
      return supportSchedule(scope, claim) ?? supportByText(scope, claim)
    case 'palavra':
      return supportPromise(scope, claim, stated)
    case 'numero':
    case 'link':
    case 'email':
      return supportAddress(scope, claim)
    case 'percentual':
    case 'prazo':
      return supportByText(scope, claim)
    default:
      return claim.kind satisfies never
  }
}

/** An address is supported where the shop writes it. A telephone may lack its area code. */
function supportAddress({ facts }: Scope, { keys, kind }: Claim): Support | null {
  const [key = ''] = keys
  for (const part of facts) {
    const exact = part.get(key)?.[0]
    if (exact !== undefined) return exact.apoio
    for (const [other, [fact]] of part) if (fact !== undefined && isPartOf(kind, key, other)) return fact.apoio
  }
  return null
}

function isPartOf(kind: Claim['kind'], key: string, other: string): boolean {
  const own = key.slice(2)
  if (kind === 'numero') return other.startsWith('n:') && own.length >= 8 && other.endsWith(own)
  return kind === 'link' && other.startsWith('l:') && !own.includes('/') && other.startsWith(`l:${own}/`)
}

/** A text of the shop that makes the same claim about the same thing, on the same days. */
function supportByText(scope: Scope, claim: Claim): Support | null {
  const sentence = sentenceAt(scope, claim.start)
  const words = topicOf(scope.text.shown.slice(sentence.start, sentence.end))
  // A total follows from the sums of the answer, not from an equal sum of another thing.
  if (claim.kind === 'dinheiro' && isTotal(scope, claim)) return null
  const days = scope.claims.filter((other) => isIn(other, sentence)).flatMap((other) => weekdaysOf(scope, other))
  const counts = countedNouns(scope.bare.slice(sentence.start, sentence.end))
  const produto = new Set(claim.kind === 'dinheiro' ? produtoNames(scope, words) : [])
  const keys = [...keysOf(scope, claim), ...multiplesOf(scope, claim)]
  const fitsDays = ({ days: others }: Fact): boolean =>
    others.size === 0 || claim.kind === 'data' || days.every((day) => others.has(day))
  const found = scope.facts
    .flatMap((part) => keys.flatMap((key) => part.get(key) ?? []))
    .find((fact) => fitsDays(fact) && countsAgree(counts, fact.counts) && isAbout(scope, fact, words, produto))
  return found?.apoio ?? null
}

function isTotal({ claims, text }: Scope, claim: Claim): boolean {
  const before = claims.findLast(({ kind, end }) => kind === 'dinheiro' && end <= claim.start)?.end ?? 0
  return GRAND_TOTAL.test(text.folded.slice(before, claim.start).slice(-60))
}

/** 'Quatro pessoas pagam R$ 239,60' is four times a sum of the shop. */
function multiplesOf(scope: Scope, { kind, value, start }: Claim): readonly string[] {
  if (kind !== 'dinheiro') return []
  const counts = countsIn(scope.bare.slice(sentenceAt(scope, start).start, start))
  return counts.filter((count) => count > 1 && value % count === 0).map((count) => `m:${value / count}`)
}

/** Days under all their names: tomorrow is a weekday and a date. */
function keysOf(scope: Scope, claim: Claim): readonly string[] {
  if (claim.kind !== 'data') return claim.keys
  const days = resolveDays(scope, claim.keys).flatMap(({ dia, data }) => [
    `w:${dia}`,
    ...(data === null ? [] : [`dt:${Number(data.slice(5, 7))}-${Number(data.slice(8))}`]),
  ])
  return [...claim.keys, ...days]
}

const weekdaysOf = (scope: Scope, claim: Claim): readonly string[] =>
  claim.kind === 'data' ? dayKeys({ ...claim, keys: keysOf(scope, claim) }) : []

/** A catalogue price is not replaced by a text about the same produto, unless the text is about more than it. */
function produtoNames({ catalogue }: Scope, words: readonly string[]): readonly string[] {
  return namedProdutos(catalogue, nameWords(words.join(' '))).flatMap((at) => [...(catalogue.names[at] ?? [])])
}

function isAbout(
  scope: Scope,
  { topics, apoio }: Fact,
  words: readonly string[],
  produto: ReadonlySet<string>,
): boolean {
  const own = words.filter((word) => !produto.has(word))
  if (topics.size === 0 || own.some((word) => topics.has(word))) return true
  if (produto.size > 0) return apoio.tipo === 'produto' && words.some((word) => topics.has(word))
  const around = [...scope.questionTopics, ...scope.topics].filter((word) => !/^\d/.test(word))
  return around.length === 0 || (words.length <= 1 && around.some((word) => topics.has(word)))
}
