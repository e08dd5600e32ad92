import type { FoundClaim } from '../types.ts'
import { type AnswerToken, answerTokenAt } from './tokens.ts'

const CURRENCIES = new Set(['r$', 'rs', 'brl', '$', 'us$', 'u$', '€'])
const UNITS = new Set(['reais', 'real', 'conto', 'contos', 'pila', 'pilas', 'mangos', 'pratas', 'brl', 'dolares'])
const CENTS = new Set(['centavo', 'centavos'])
const MEASURES = new Set(
  'kg kgs quilo quilos g gr gramas mg ml l lt litro litros cm mm m metros km km2 m2 x h hs hrs horas estrelas polegadas pontos'.split(
    ' ',
  ),
)
const PRICE_WORDS = new Set(
  'custa custam custando sai saem saindo fica ficam ficaria sera preco precos valor valores total taxa frete cobramos cobra paga pagam pagar vale apenas somente partir vendemos minimo'.split(
    ' ',
  ),
)
const LIGHT_WORDS = new Set(
  'por e de so em a o ate cerca no da do na apenas pedido entrega : = - fica sai agora hoje'.split(' '),
)
const BEHIND_PRICE = new Set('cada a o por no na e ou mais com unidade avista , . ; ! ? ) + = ( / |'.split(' '))

export function moneyClaim(tokens: readonly AnswerToken[], at: number): FoundClaim | null {
  const token = answerTokenAt(tokens, at)
  if (CURRENCIES.has(token.text) && answerTokenAt(tokens, at + 1).kind === 'number')
    return withCents(tokens, at, at + 1)
  if (token.kind !== 'number') return null
  const next = answerTokenAt(tokens, at + 1).text
  if (UNITS.has(next) || (next === 'de' && answerTokenAt(tokens, at + 2).text === 'reais'))
    return withCents(tokens, at, at)
  if (CENTS.has(next)) return money({ first: at, last: at + 1 }, token.value / 100)
  if (!token.spelled && token.decimals === 2 && isNoMeasure(tokens, at))
    return money({ first: at, last: at }, token.value)
  return isBarePrice(tokens, at) ? money({ first: at, last: at }, token.value) : null
}

function money({ first, last }: Pick<FoundClaim, 'first' | 'last'>, reais: number): FoundClaim {
  const centavos = Math.round(reais * 100)
  return { kind: 'dinheiro', first, last, keys: [`m:${centavos}`], value: centavos }
}

/** 'R$ 12', '12 reais e 50', 'R$ 2 mil', 'doze reais e cinquenta centavos'. */
function withCents(tokens: readonly AnswerToken[], first: number, at: number): FoundClaim {
  const { value: number, decimals } = answerTokenAt(tokens, at)
  const isThousands = answerTokenAt(tokens, at + 1).value === 1000
  const value = isThousands ? number * 1000 : number
  const last = unitEnd(tokens, isThousands ? at + 1 : at)
  const [link, cents] = [answerTokenAt(tokens, last + 1), answerTokenAt(tokens, last + 2)]
  if (link.text !== 'e' || cents.kind !== 'number' || decimals > 0 || cents.value >= 100)
    return money({ first, last }, value)
  const { text } = answerTokenAt(tokens, last + 3)
  if (CENTS.has(text)) return money({ first, last: last + 3 }, value + cents.value / 100)
  const isWord = /^[a-z%]/.test(text)
  return last > at && cents.value >= 10 && !isWord
    ? money({ first, last: last + 2 }, value + cents.value / 100)
    : money({ first, last }, value)
}

/** The last token of the unit behind a number: 'reais', 'de reais'. */
function unitEnd(tokens: readonly AnswerToken[], at: number): number {
  if (UNITS.has(answerTokenAt(tokens, at + 1).text)) return at + 1
  return answerTokenAt(tokens, at + 1).text === 'de' && UNITS.has(answerTokenAt(tokens, at + 2).text) ? at + 2 : at
}

function isNoMeasure(tokens: readonly AnswerToken[], at: number): boolean {
  const { text } = answerTokenAt(tokens, at + 1)
  return !MEASURES.has(text) && text !== '%'
}

/** 'custa 12', 'sai por doze e noventa cada'. */
function isBarePrice(tokens: readonly AnswerToken[], at: number): boolean {
  const { kind, text } = answerTokenAt(tokens, at + 1)
  const isAlone = kind === 'end' || text === '\n' || BEHIND_PRICE.has(text) || text === 'a'
  if (!isAlone) return false
  if (answerTokenAt(tokens, at + 1).text === '/' || answerTokenAt(tokens, at - 1).text === '/') return false
  if (text === 'cada' && answerTokenAt(tokens, at - 1).text === 'por') return true
  for (let before = at - 1; before >= Math.max(0, at - 4); before -= 1) {
    const word = answerTokenAt(tokens, before).text
    if (PRICE_WORDS.has(word)) return true
    if (!LIGHT_WORDS.has(word)) return false
  }
  return false
}
