import { countedNouns, countsAgree } from '../claims/counts.ts'
import type { Claim } from '../types.ts'
import { topicOf } from '../claims/text.ts'
import { DELIVERY, fees } from './delivery.ts'
import { dayKeys, type Fact, type Support } from './facts.ts'
import type { StatedSum } from './money.ts'
import { isIn, type Scope, sentenceAt } from './scope.ts'

/** Finds where the shop promises the same. A promise with a condition needs its sum of money in the answer. */
export function supportPromise(scope: Scope, claim: Claim, stated: readonly StatedSum[]): Support | null {
  const [key = ''] = claim.keys
  const free = key === 'p:gratis' ? freeDelivery(scope, claim, stated) : null
  if (free !== null) return free
  const sentence = sentenceAt(scope, claim.start)
  const inSentence = scope.claims.filter((other) => isIn(other, sentence))
  const hasSum = inSentence.some(({ kind }) => kind === 'dinheiro')
  const days = inSentence.flatMap(dayKeys)
  const words = topicOf(scope.bare.slice(sentence.start, sentence.end))
  const around = [...scope.topics, ...scope.questionTopics]
  const counts = countedNouns(scope.bare.slice(sentence.start, sentence.end))
  for (const part of scope.facts)
    for (const fact of part.get(key) ?? []) {
      const fits = (hasSum || !fact.isConditional) && days.every((day) => fact.days.size === 0 || fact.days.has(day))
      if (fits && countsAgree(counts, fact.counts) && isSamePromise(fact, words, around)) return fact.apoio
    }
  return null
}

/** Words that are no topic of a promise. */
const OWN_WORDS = new Set(
  topicOf(
    `grátis gratuita gratuito gratuitamente graça garantia garantimos garantido garanto desconto promoção promo oferta
    cupom isento isenta isenção cortesia brinde cobramos cobra custo taxa ganha ganhar recebe receber oferecemos valem vale
    acesse veja ver vem leva leve levando cliente compra comprando acima pagando pagar fazendo pedindo escolhendo aproveite`,
  ),
)
const COVERED_MIN = 0.7

/** Most of the words of the promise must be those of the shop. */
function isSamePromise({ topics }: Fact, words: readonly string[], around: readonly string[]): boolean {
  const [meant, all, about] = [words, around, [...topics]].map((list) => list.filter((word) => !OWN_WORDS.has(word)))
  const own = meant?.length === 0 ? (all ?? []) : (meant ?? [])
  if (own.length === 0 || about?.length === 0) return about?.length === 0
  return own.filter((word) => topics.has(word)).length / own.length >= (meant?.length === 0 ? 0.01 : COVERED_MIN)
}

function freeDelivery(scope: Scope, claim: Claim, stated: readonly StatedSum[]): Support | null {
  const { entrega, retirada } = scope.evidence.contexto.config.loja
  const sentence = sentenceAt(scope, claim.start)
  const text = scope.text.folded.slice(sentence.start, sentence.end)
  if (retirada && isFreePickUp(text, scope.text.folded.slice(claim.start, claim.end)))
    return { tipo: 'configuracao', trecho: 'Retirada na loja, sem taxa' }
  const isDelivery = [text, scope.text.folded, scope.pergunta].some((part) => DELIVERY.test(part))
  if (!entrega.ativa || !isDelivery) return null
  const [first, ...others] = fees(scope, sentence, text)
  if (first?.centavos === 0 && others.length === 0) return first.apoio
  return isFreeFrom(scope, stated, entrega.gratisAcimaCentavos)
    ? { tipo: 'configuracao', trecho: 'Entrega grátis a partir de um valor' }
    : null
}

const isFreePickUp = (sentence: string, words: string): boolean =>
  !/^(?:brinde|cortesia)/.test(words) &&
  /(?<![a-z])retir/.test(sentence) &&
  !DELIVERY.test(sentence.replaceAll(/taxa/g, ''))

/** True if the answer names a sum from which on the delivery is free. */
function isFreeFrom({ claims }: Scope, stated: readonly StatedSum[], from: number | null): boolean {
  if (from === null) return false
  return (
    claims.some(({ kind, value }) => kind === 'dinheiro' && value >= from) ||
    stated.some(({ centavos }) => centavos >= from)
  )
}
