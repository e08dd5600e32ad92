import { formatReais } from '#rules/loja.ts'
import { topicOf } from '../claims/text.ts'
import type { Support } from './facts.ts'
import { type Scope, type Span } from './scope.ts'

/** Fees, minimum and free delivery of the shop. */

export const DELIVERY = /(?<![a-z])(?:entreg|frete|taxa|motoboy|delivery|envi[oa])/
const MINIMUM = /(?<![a-z])(?:minim|menor valor|(?:pedidos?|compras|entregamos|entregas?) (?:a partir|acima))/
const FREE_FROM = /(?<![a-z])(?:acima|a partir|compras|gratis|gratuit|isen|mais de|ultrapass|chegar a|atingir)/
const PLACE =
  /(?:^|[^\p{L}])(?:[Nn][oa]|[Nn][oa] bairro|[Pp]ara [oa]|[Pp]ara|[Pp]r[oa]|[Bb]airro|[Ee]m|[Aa]té [oa])\s+((?:\p{Lu}[\p{L}]+)(?:\s+(?:d[aeo]s?\s+)?\p{Lu}[\p{L}]+){0,4})/gu

export interface DeliveryValue {
  readonly centavos: number
  readonly apoio: Support
}

/** Returns the values of the delivery that fit a sentence. A fee belongs to the neighbourhoods that it names. */
export function deliveryValues(scope: Scope, { start, end }: Span, region: string): readonly DeliveryValue[] {
  const { ativa, minimoCentavos, gratisAcimaCentavos } = scope.evidence.contexto.config.loja.entrega
  if (!ativa) return []
  const sentence = scope.text.folded.slice(start, end)
  const minimum = MINIMUM.test(sentence) ? [valueOf('Pedido mínimo', minimoCentavos)] : []
  const isFree = gratisAcimaCentavos !== null && FREE_FROM.test(sentence)
  const free = isFree ? [valueOf('Entrega grátis a partir de', gratisAcimaCentavos)] : []
  return [...minimum, ...free, ...fees(scope, { start, end }, region)]
}

/** The fees that the answer may mean. */
export function fees(scope: Scope, { start, end }: Span, region: string): readonly DeliveryValue[] {
  const { ativa, taxas } = scope.evidence.contexto.config.loja.entrega
  if (!ativa) return []
  const values = taxas.map(({ bairro = '', cepDe = '', cepAte = '', centavos }) => ({
    words: topicOf(bairro),
    ...valueOf(`Entrega ${bairro === '' ? `nos CEPs de ${cepDe} a ${cepAte}` : `em ${bairro}`}`, centavos),
  }))
  const { shown, folded } = scope.text
  for (const text of [region, folded.slice(start, end), folded, scope.pergunta]) {
    const words = new Set(topicOf(text))
    const named = values.filter((value) => value.words.length > 0 && value.words.every((word) => words.has(word)))
    if (named.length > 0) return named
  }
  return namesOtherPlace(scope, shown.slice(start, end)) ? [] : values
}

function namesOtherPlace({ catalogue, evidence }: Scope, shown: string): boolean {
  const known = new Set([
    ...evidence.contexto.config.loja.entrega.taxas.flatMap(({ bairro = '' }) => topicOf(bairro)),
    ...catalogue.byWord.keys(),
    ...topicOf('pix whatsapp brasil instagram'),
    ...topicOf(evidence.contexto.empresa),
  ])
  return [...shown.matchAll(PLACE)].some(({ 1: name = '' }) => topicOf(name).some((word) => !known.has(word)))
}

function valueOf(label: string, centavos: number): DeliveryValue {
  return { centavos, apoio: { tipo: 'configuracao', trecho: `${label}: ${formatReais(centavos / 100)}` } }
}

/** True if the text names a neighbourhood to which the shop delivers. */
export function namesBairro({ evidence }: Scope, text: string): boolean {
  const words = new Set(topicOf(text))
  return evidence.contexto.config.loja.entrega.taxas.some(({ bairro = '' }) => {
    const parts = topicOf(bairro)
    return parts.length > 0 && parts.every((word) => words.has(word))
  })
}
