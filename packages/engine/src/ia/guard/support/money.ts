import { formatReais } from '#rules/loja.ts'
import type { Claim } from '../types.ts'
import { topicOf } from '../claims/text.ts'
import { DELIVERY, deliveryValues, fees, namesBairro } from './delivery.ts'
import type { Support } from './facts.ts'
import { type ProdutoMention, mentionsIn, namesOption, nameWords } from './mentions.ts'
import { optionPrices, unitPrices } from './prices.ts'
import { isIn, quantityOf, type Scope, sentenceAt, type Span } from './scope.ts'

/** A sum of money of the answer that is supported, in cents. */
export interface StatedSum {
  readonly centavos: number
  readonly apoio: Support
}

const TOTAL =
  /(?<![a-z])(?:tota(?:l|is|liza)|tudo|som(?:a|as|ando|ado)|junt[oa]s?|fic(?:a|am|ou|aria|ariam)|sai|saem|da(?:ria)?|dao|deu|valor)(?![a-z])|=/
export const GRAND_TOTAL = /(?<![a-z])(?:total|tudo|soma|somando)(?![a-z])|=/
/** 'uma areia (R$ 24,90) e entrega (R$ 7,00): R$ 31,90' */
const SUM_SIGN = /^[\s)]*[:=]\s*$/
const COUNT =
  /(?<![\d.,])(\d{1,3}|[a-z]+)(?![\d.,%a-z])(?!\s*(?:litros?|l|ml|kg|g|gramas|cm|pedacos|fatias|meses|dias)(?![a-z]))/g
const UNKNOWN_SUBJECT =
  /(?:^|[^a-z])(?:o|a|os|as|um|uma|nosso|nossa|cada)\s+((?:[a-z0-9-]+\s+){1,5}?)(?:custam?|sai|saem|ficam?|esta|por|vale|e)\s+(?:[a-z:]+\s+){0,2}$|(?:^|\n|[-•,])\s*([a-z][a-z0-9 ]{2,50}?)\s*(?::|-|\()\s*$/
const NEUTRAL = new Set(
  topicOf(
    `porção pacote opção item produto tamanho sabor pedido conta soma valor entrega taxa frete unidade preço versão
    compra combinação menor maior grande pequena pequeno média dúzia deliciosa gostosa quentinha famosa fresquinha
    saborosa tradicional artesanal cremosa cento custo total adicional dela dele simples comum normal inteira padrão
    refrigerante bebida lanche salgado doce prato quilo litro caixa garrafa lata fatia tipo linha brinquedo`,
  ),
)
const SUMS_MAX = 500
const STATED_MAX = 8

/** Finds the price, the fee or the sum behind a claim. Null: the catalogue and the settings of the shop have none. */
export function supportMoney(scope: Scope, claim: Claim, stated: readonly StatedSum[]): Support | null {
  const sentence = sentenceAt(scope, claim.start)
  const region = regionOf(scope, claim, sentence)
  const mentions = mentionsIn(scope.catalogue, region, quantityOf)
  const place = bairroBehind(scope, claim, sentence) ?? region
  const delivery = mentions.length === 0 ? deliverySupport(scope, claim, sentence, place) : null
  if (delivery !== null) return delivery
  const option = optionSupport(scope, claim, { sentence, region })
  if (option !== null) return option
  const named = isListed(scope, claim, sentence) ? mentions : mentions.slice(-1)
  const subject = mentions.length > 0 ? named : inherited(scope, claim, sentence, region)
  return (
    unitSupport(scope, claim, { sentence, region, subject }) ?? sumSupport(scope, claim, { sentence, region, stated })
  )
}

/** The words that belong to a sum: those before it, or behind it when the sentence names things behind their prices. */
function regionOf({ claims, bare, catalogue }: Scope, claim: Claim, sentence: Span): string {
  const money = claims.filter((other) => other.kind === 'dinheiro' && isIn(other, sentence))
  const at = money.indexOf(claim)
  const first = bare.slice(sentence.start, money[0]?.start)
  const before = bare.slice(money[at - 1]?.end ?? sentence.start, claim.start)
  const behind = bare.slice(claim.end, money[at + 1]?.start ?? sentence.end)
  const isReversed =
    !/^\s*[:(]/.test(behind) &&
    mentionsIn(catalogue, first, quantityOf).length === 0 &&
    !namesOption(catalogue, nameWords(first), []) &&
    !DELIVERY.test(first) &&
    mentionsIn(catalogue, behind, quantityOf).length > 0
  return isReversed ? behind : before
}

/** True for the first sums of 'uma coxinha e um café: R$ 7,00 + R$ 6,00', which name their things together. */
function isListed({ claims, bare }: Scope, claim: Claim, sentence: Span): boolean {
  const money = claims.filter((other) => other.kind === 'dinheiro' && isIn(other, sentence))
  const next = money[money.indexOf(claim) + 1]
  return next !== undefined && /^\s*(?:\+|e|mais|,)\s*(?:de|por)?\s*$/.test(bare.slice(claim.end, next.start))
}

/** 'R$ 8,00 para a Boa Vista' names the neighbourhood behind the fee. */
function bairroBehind(scope: Scope, claim: Claim, sentence: Span): string | null {
  const next = scope.claims.find(({ kind, start }) => kind === 'dinheiro' && start > claim.start)
  const behind = scope.bare.slice(claim.end, Math.min(next?.start ?? sentence.end, sentence.end))
  const isPlace = /^\s*(?:para|pra|no|na|em|ao|a)(?![a-z])/.test(behind)
  return isPlace && namesBairro(scope, behind) ? behind : null
}

function deliverySupport(scope: Scope, { value }: Claim, sentence: Span, region: string): Support | null {
  const text = scope.text.folded.slice(sentence.start, sentence.end)
  const isDelivery =
    DELIVERY.test(text) ||
    /(?<![a-z])(?:minim|gratis)/.test(text) ||
    namesBairro(scope, text) ||
    DELIVERY.test(scope.pergunta)
  if (!isDelivery) return null
  return deliveryValues(scope, sentence, region).find(({ centavos }) => centavos === value)?.apoio ?? null
}

/** The first thing that the sentence before names, which is mostly its subject. */
function sentenceSubject({ catalogue, bare, sentences }: Scope, { start }: Span): readonly ProdutoMention[] {
  const before = sentences.findLast(({ end }) => end <= start)
  return before === undefined ? [] : mentionsIn(catalogue, bare.slice(before.start, before.end), quantityOf).slice(0, 1)
}

/** The produto of an earlier part of the answer, or of the question. None if the sum has an unknown subject. */
function inherited(scope: Scope, claim: Claim, sentence: Span, region: string): readonly ProdutoMention[] {
  if (hasUnknownSubject(scope, region)) return []
  const { catalogue, bare, pergunta } = scope
  const inSentence = mentionsIn(catalogue, bare.slice(sentence.start, claim.start), quantityOf)
  if (inSentence.length > 0) return inSentence.slice(-1)
  const earlier = mentionsIn(catalogue, bare.slice(0, sentence.start), quantityOf)
  if (earlier.length > 0) return [...sentenceSubject(scope, sentence), ...earlier.slice(-1)]
  const asked = mentionsIn(catalogue, pergunta, quantityOf)
  if (asked.length > 0) return asked
  const rest = topicOf(bare.slice(sentence.start, sentence.end)).filter((word) => !/\d/.test(word))
  return rest.length === 0 ? [{ produtos: [...catalogue.produtos.keys()], quantidade: 1 }] : []
}

const isNumber = (word: string): boolean =>
  /^\d|^(?:doi|dua|tre|quat|cinco|sei|sete|oito|nove|dez|onze|doze|quinze|vinte|meia)/.test(word)

/** The words that name the thing of a price: 'a ração para filhotes custa', 'X-Tudo:'. */
function subjectWords(region: string): readonly string[] {
  const [, worded, listed] = UNKNOWN_SUBJECT.exec(region.slice(-200)) ?? []
  const named = (worded ?? listed ?? '').split(' ').filter((word) => quantityOf(word) === null)
  return topicOf(named.join(' ')).filter((word) => !NEUTRAL.has(word) && !isNumber(word))
}

function hasUnknownSubject({ catalogue }: Scope, region: string): boolean {
  const words = subjectWords(region)
  return (
    words.length > 0 &&
    words.every(
      (word) => !catalogue.byWord.has(word) && !catalogue.options.some((option) => option.words.includes(word)),
    )
  )
}

/** A name with a word that the produto lacks is another thing: 'arroz integral' is no 'arroz branco'. */
function fitsSubject({ catalogue, evidence }: Scope, at: number, region: string): boolean {
  const produto = catalogue.produtos[at]
  if (produto === undefined) return false
  const own = new Set([
    ...[...(catalogue.names[at] ?? []), ...topicOf(produto.descricao.replaceAll(/sem [\p{L}]+/giu, ''))],
    ...catalogue.options.flatMap((option) => (option.produto === at ? option.words : [])),
    ...evidence.contexto.config.loja.entrega.taxas.flatMap(({ bairro = '' }) => topicOf(bairro)),
  ])
  return subjectWords(region).every((word) => own.has(word))
}

const ADDITION = /(?<![a-z])(?:mais|adicion|acresc|acresci|extra|borda|a mais)|\+/

/** The addition of an option: 'o adicional de bacon custa R$ 5,00'. */
function optionSupport(
  { catalogue, bare }: Scope,
  { value, start }: Claim,
  { sentence, region }: Place,
): Support | null {
  if (!ADDITION.test(bare.slice(sentence.start, start)) && !ADDITION.test(region)) return null
  const words = new Set(nameWords(region))
  const around = new Set([...words, ...nameWords(bare.slice(sentence.start, start))])
  const counts = [1, ...countsIn(region)]
  const found = catalogue.options.find(
    ({ acrescimoCentavos, words: own }) =>
      value > 0 &&
      counts.some((count) => count * acrescimoCentavos === value) &&
      own.every((word) => around.has(word)) &&
      own.some((word) => words.has(word)),
  )
  const produto = catalogue.produtos[found?.produto ?? -1]
  if (found === undefined || produto === undefined) return null
  return {
    tipo: 'produto',
    id: produto.id,
    trecho: `${produto.nome}, ${found.nome}: + ${formatReais(found.acrescimoCentavos / 100)}`,
  }
}

interface Place {
  readonly sentence: Span
  readonly region: string
}

function unitSupport(
  scope: Scope,
  { value, start }: Claim,
  { sentence, region, subject }: Place & { readonly subject: readonly ProdutoMention[] },
): Support | null {
  const { catalogue, bare, text, pergunta } = scope
  const sentenceText = text.folded.slice(sentence.start, sentence.end)
  const words = new Set([...nameWords(sentenceText), ...nameWords(pergunta)])
  const counted = mentionsIn(catalogue, region, quantityOf).length > 0 ? region : bare.slice(sentence.start, start)
  const counts = new Set([1, ...countsIn(counted), ...subject.map(({ quantidade }) => quantidade)])
  const own = new Set(nameWords(sentenceText))
  for (const at of new Set(subject.flatMap(({ produtos }) => produtos))) {
    const produto = catalogue.produtos[at]
    if (produto === undefined || (subject.length < 2 && !fitsSubject(scope, at, region))) continue
    for (const unit of [...unitPrices(produto, words), ...optionPrices(produto, own)])
      for (const count of counts) if (count * unit === value) return produtoSupport(produto, unit, count)
  }
  return null
}

function produtoSupport(
  { id, nome }: { readonly id: string; readonly nome: string },
  unit: number,
  count: number,
): Support {
  const times = count === 1 ? '' : `${count} × `
  return { tipo: 'produto', id, trecho: `${nome}: ${times}${formatReais(unit / 100)}` }
}

/** Quantities of a text. Parts of names, such as '2 litros', are none. */
export function countsIn(region: string): readonly number[] {
  return [...region.matchAll(COUNT)].slice(0, 20).flatMap(({ 1: word = '' }) => {
    const count = word === 'meia' && region.includes('meia duzia') ? 6 : quantityOf(word)
    return count === null || count === 0 || count > 500 ? [] : [count]
  })
}

type SumPlace = Place & { readonly stated: readonly StatedSum[] }

function sumSupport(scope: Scope, claim: Claim, place: SumPlace): Support | null {
  const { sentence, region, stated } = place
  const { text, pergunta } = scope
  const whole = text.folded.slice(sentence.start, sentence.end)
  const mentions = mentionsIn(scope.catalogue, region, quantityOf)
  if (!isSum(scope, mentions, region, whole)) return null
  const withDelivery = DELIVERY.test(text.folded) || DELIVERY.test(pergunta)
  const extra = [0, ...(withDelivery ? fees(scope, sentence, region).map(({ centavos }) => centavos) : [])]
  const matches = (sum: number): boolean => extra.some((fee) => sum + fee === claim.value)
  const isOpen = mentions.length === 0 && !hasUnknownSubject(scope, region)
  if (mentionSums(scope, claim, place, isOpen).some(matches))
    return { tipo: 'produto', trecho: 'Soma dos preços dos produtos' }
  const [first] = isOpen || GRAND_TOTAL.test(whole) ? stated : []
  if (first === undefined || !sumsOfStated(stated).some(matches)) return null
  return { ...first.apoio, trecho: 'Soma dos valores da resposta' }
}

/** True if a sum of money may be one of several: two things before it, or a word of a total. */
function isSum(scope: Scope, mentions: readonly ProdutoMention[], region: string, sentence: string): boolean {
  const fits = mentions.some(({ produtos }) => produtos.some((at) => fitsSubject(scope, at, region)))
  if (mentions.length === 1 && !fits) return false
  return mentions.length > 1 || TOTAL.test(sentence) || SUM_SIGN.test(region)
}

/** Sums of the produtos before a total. An open total may mean those of the whole answer or of the question. */
function mentionSums(
  scope: Scope,
  { start, end }: Claim,
  { sentence, region }: Place,
  isOpen: boolean,
): readonly number[] {
  const { catalogue, bare, text, pergunta } = scope
  const words = new Set([...nameWords(text.folded), ...nameWords(pergunta)])
  const others = isOpen ? [bare.slice(0, start), bare.slice(end, sentence.end), pergunta] : []
  return [region, bare.slice(sentence.start, start), ...others].flatMap((part) => {
    const mentions = mentionsIn(catalogue, part, quantityOf)
    return mentions.length === 0 ? [] : [...sumsOfMentions(scope, mentions, words)]
  })
}

function sumsOfMentions(
  { catalogue }: Scope,
  mentions: readonly ProdutoMention[],
  words: ReadonlySet<string>,
): ReadonlySet<number> {
  let sums = new Set([0])
  for (const { produtos, quantidade } of mentions) {
    const next = new Set<number>()
    for (const at of produtos.slice(0, 4)) {
      const produto = catalogue.produtos[at]
      if (produto === undefined) continue
      for (const unit of unitPrices(produto, words))
        for (const sum of sums) if (next.size < SUMS_MAX) next.add(sum + quantidade * unit)
    }
    sums = next
  }
  return sums
}

/** Sums of two or more of the sums before. */
function sumsOfStated(stated: readonly StatedSum[]): readonly number[] {
  const last = stated.slice(-STATED_MAX)
  const sums: number[] = []
  for (let choice = 1; choice < 2 ** last.length; choice += 1) {
    const chosen = last.filter((_, at) => Math.floor(choice / 2 ** at) % 2 === 1)
    if (chosen.length > 1) sums.push(chosen.reduce((sum, { centavos }) => sum + centavos, 0))
  }
  return sums
}
