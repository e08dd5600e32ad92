import { parseNumberText } from '#rules/opcoes.ts'
import { wordsOf } from '#rules/text.ts'
import type { OrderAct, OrderProduto } from './acts.ts'
import { catalogueIndex, type KnownToken, knownTokens } from './catalogue-index.ts'
import { LINKS, ORDER_VERBS, PACKAGES, POLITE_WORDS } from './lexicon.ts'
import { readName, readNote, readOption } from './names.ts'
import { readNumber } from './numbers.ts'
import { endSegment, readBreak, readPhraseEffect, readWord } from './sentence.ts'
import { tokenize } from './tokens.ts'
import { actsOf, openItem, startWalk, type Walk } from './walk.ts'

/** Orders that customers write, without AI. */

const TEXT_MAX = 2000
const MORE = new Set(['mais', 'ver mais', 'mais opcoes', 'mais produtos', 'proxima', 'proxima pagina', 'mostra mais'])
const EXITS = new Set(['sair', 'quero sair', 'sai'])
const ACCEPTING = new Set(
  'sim eu quero qro kero vou querer pode ser manda bota me ve por favor pf pfv isso mesmo ok'.split(' '),
)
const CUPOM =
  /\b(?:cupom|cupon|c[oó]digo)\b(?: de desconto| promocional| do desconto)?(?: [ée])?[:\s]{1,3}([a-z0-9][a-z0-9-]{2,19})(?![\p{L}\d-])/iu
/** Words behind 'cupom' that are no code. */
const NO_CODE = /^(?:de|do|da|para|pra|que|tem|ativo|algum|valido|desconto|promocional|por|com|aqui|hoje)$/i

/**
 * Reads the acts of a text in the order said. `shown` is the produto that the bot showed last: 'quero 2' means it. An
 * empty list means that the text holds no order.
 */
export function parseOrderText(
  text: string,
  produtos: readonly OrderProduto[],
  shown: string | null = null,
): readonly OrderAct[] {
  const whole = readWholeText(text)
  if (whole !== null) return [whole]
  const { cupom, rest } = readCupom(text.slice(0, TEXT_MAX))
  const index = catalogueIndex(produtos)
  const tokens = knownTokens(tokenize(rest), index)
  const shownAt = shown === null ? -1 : produtos.findIndex(({ id }) => id === shown)
  const walk = startWalk(tokens, index, shownAt < 0 ? null : shownAt)
  for (let at = 0; at < tokens.length;)
    at =
      readBreak(walk, at) ??
      readPhraseEffect(walk, at) ??
      readOption(walk, at) ??
      readNumber(walk, at) ??
      readName(walk, at) ??
      readNote(walk, at) ??
      readWord(walk, at)
  endSegment(walk, tokens.length)
  takeShown(walk)
  return [...actsOf(walk), ...cupom]
}

/**
 * Reads a text that is an order and nothing else: a verb or a number, produtos, and polite words. Any other word may
 * make it a complaint or a question, as in 'minhas 2 pizzas não chegaram'. Then the list is empty.
 */
export function parsePlainOrder(text: string, produtos: readonly OrderProduto[]): readonly OrderAct[] {
  const tokens = knownTokens(tokenize(text.slice(0, TEXT_MAX)), catalogueIndex(produtos))
  const isAsked = tokens.some(({ kind, word }) => kind === 'number' || ORDER_VERBS.has(word))
  if (!isAsked || !tokens.every(isPlain)) return []
  return parseOrderText(text, produtos).filter(isNaming)
}

const PLAIN_WORDS = [ORDER_VERBS, POLITE_WORDS, LINKS, PACKAGES]

/** Behind 'sem' any word is a wish for the produto. */
function isPlain({ kind, word, ids }: KnownToken, at: number, tokens: readonly KnownToken[]): boolean {
  if (kind !== 'word') return kind !== 'question'
  if (word === 'sem' || tokens[at - 1]?.word === 'sem') return true
  return ids.length > 0 || PLAIN_WORDS.some((set) => set.has(word))
}

const isNaming = ({ tipo }: OrderAct): boolean => tipo === 'adicionar' || tipo === 'duvida'

/** A bare number shows a produto, and some words stand alone. */
function readWholeText(text: string): OrderAct | null {
  const numero = parseNumberText(text)
  if (numero !== null) return numero === 0 ? { tipo: 'sair' } : { tipo: 'mostrar', numero }
  if (text.length > 40) return null
  const words = wordsOf(text).join(' ')
  if (EXITS.has(words)) return { tipo: 'sair' }
  if (words === 'so') return { tipo: 'finalizar' }
  return MORE.has(words) ? { tipo: 'mais' } : null
}

function readCupom(text: string): { cupom: readonly OrderAct[]; rest: string } {
  const found = CUPOM.exec(text)
  const codigo = found?.[1] ?? ''
  if (found === null || NO_CODE.test(codigo)) return { cupom: [], rest: text }
  const rest = `${text.slice(0, found.index)}.${text.slice(found.index + found[0].length)}`
  const isPlain = !/\d/.test(codigo) && codigo !== codigo.toUpperCase() && found.index > 0
  if (isPlain) return { cupom: [], rest: text }
  return {
    cupom: [{ tipo: 'cupom', codigo: codigo.toUpperCase() }],
    rest: rest.replace(/(?:tenho|usar|o|um)\s*\.$/i, '.'),
  }
}

/** 'quero' or 'sim, quero' alone takes the produto on show. */
function takeShown(walk: Walk): void {
  const { shown, tokens } = walk
  if (walk.entries.length > 0 || !walk.verb || walk.mode !== 'order' || shown === null) return
  if (tokens.every(({ kind, word }) => kind === 'soft' || kind === 'hard' || ACCEPTING.has(word)))
    openItem(walk, { produtos: [shown], sure: true, start: 0, end: tokens.length })
}
