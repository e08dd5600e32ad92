import { LOJA_POR_PAGINA } from '@balcao/contract/constants'
import type { BotContext, ProdutoLoja } from '#context.ts'
import { type BotEffect, choicesEffect, textEffect, withGap } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { PHRASES, unavailableProdutoText } from '#phrases.ts'
import { CAPTION_MAX, catalogueChoices, catalogueText, produtoText } from '#rules/loja.ts'
import { parseNumberText } from '#rules/opcoes.ts'
import { wordsOf } from '#rules/text.ts'
import type { BotState } from '#state.ts'
import { answerOrder, applyOrder } from '#pedidos/order-chat.ts'
import type { OrderTalk } from '#pedidos/order-draft.ts'
import { endOrder } from '#pedidos/order-end.ts'
import type { OrderAct, OrderProduto } from '#order-text/acts.ts'
import { parseOrderText, parsePlainOrder } from '#order-text/parse-order.ts'
import { sayText, showMenu, type StepResult, type EngineTurn } from '#engine-turn.ts'

type LojaState = Extract<BotState, { etapa: 'loja' }>

/** The dialogue in the shop, at the first page of its produtos. */
export function atFirstPage({ context, memory }: EngineTurn): LojaState {
  const itens = context.produtos.map(({ id, nome }) => ({ id, nome }))
  return { ...memory, etapa: 'loja', erros: 0, pergunta: null, pagina: 0, itens, mostrado: null, duvida: null }
}

/** Option of kind `loja`: the reply, then the first page. Without produtos the bot says so and shows the menu. */
export function enterLoja(turn: EngineTurn, reply: string): StepResult {
  const state = atFirstPage(turn)
  if (state.itens.length === 0) return showMenu(turn, sayText(turn, PHRASES.semProdutos))
  return { state, effects: [...sayText(turn, reply), catalogueEffect(turn.context, state)] }
}

/**
 * An order written at the menu starts the cart, as in the shop. Numbers mean options of the menu, so only names count.
 * Null: the text is no order, or the menu offers no shop that takes one.
 */
export function orderAtMenu(turn: EngineTurn, event: MensagemCliente): StepResult | null {
  const { context, memory } = turn
  const offersShop = context.config.menu.opcoes.some(({ tipo }) => tipo === 'loja')
  if (!context.config.loja.pedidos || !offersShop) return null
  const acts = parsePlainOrder(event.texto, namedProdutos(context.produtos))
  if (acts.length === 0) return null
  const { cart, question, said } = applyOrder(turn, { cart: memory.carrinho, question: null }, acts)
  return { state: { ...atFirstPage(turn), carrinho: cart, duvida: question }, effects: said }
}

/** Handles a message in the shop: a number shows that produto, `mais` the next page, `0` or `sair` the menu. */
export function answerInLoja(turn: EngineTurn, previous: LojaState, event: MensagemCliente): StepResult {
  const { pagina, itens, mostrado, duvida } = previous
  const state: LojaState = { ...turn.memory, ...{ etapa: 'loja', pagina, itens, mostrado, duvida } }
  if (turn.context.config.loja.pedidos) {
    const ordered = orderInLoja(turn, state, event)
    if (ordered !== null) return ordered
  }
  const word = wordsOf(event.texto).join(' ')
  if (word === 'mais') return showNextPage(turn, state)
  const numero = parseNumberText(event.texto)
  if (numero === 0 || word === 'sair') return showMenu(turn)
  const item = numero === null ? undefined : state.itens[numero - 1]
  if (item === undefined) {
    const said = [textEffect(PHRASES.produtoNaoEncontrado), catalogueEffect(turn.context, state)]
    return { state, effects: withGap(said, 'semEntender') }
  }
  const produto = turn.context.produtos.find(({ id }) => id === item.id)
  if (produto === undefined)
    return { state, effects: [textEffect(unavailableProdutoText(item.nome)), catalogueEffect(turn.context, state)] }
  return { state: { ...state, mostrado: produto.id, duvida: null }, effects: produtoEffects(produto) }
}

/** Null for a message that is no part of an order: a number shows a produto, and other words go the usual way. */
function orderInLoja(turn: EngineTurn, state: LojaState, { texto, pedido }: MensagemCliente): StepResult | null {
  const { carrinho, duvida } = state
  const acts = parseOrderText(texto, orderProdutos(turn.context.produtos, state.itens), state.mostrado)
  const reply = { text: texto, acts }
  const answered = duvida === null || carrinho === null ? null : answerOrder(turn, carrinho, duvida, reply)
  const talk = answered ?? orderOf(turn, state, acts)
  if (talk === null) return null
  const { cart, question, said, confirmed } = talk
  const next: LojaState = { ...state, carrinho: cart, duvida: question, erros: 0 }
  if (!confirmed) return { state: next, effects: said }
  if (pedido === undefined) return { state: next, effects: [{ tipo: 'criarPedido' }] }
  const { cart: left, question: open, said: told } = endOrder(turn, cart, pedido)
  return { state: { ...next, carrinho: left, duvida: open }, effects: told }
}

function orderOf(turn: EngineTurn, { carrinho, duvida }: LojaState, acts: readonly OrderAct[]): OrderTalk | null {
  const [first] = acts
  const isChoosing = duvida?.tipo === 'grupo' || duvida?.tipo === 'produto'
  if (first === undefined && isChoosing) return applyOrder(turn, { cart: carrinho, question: duvida }, [])
  if (first === undefined || ['mostrar', 'mais', 'sair', 'listar'].includes(first.tipo)) return null
  return applyOrder(turn, { cart: carrinho, question: duvida }, acts)
}

interface ReadCatalogue {
  /** Ids of the list that the customer sees. */
  readonly shown: string
  readonly produtos: readonly OrderProduto[]
}

/** The parser keeps the index of each array, so the last one of a catalogue is kept for the next message. */
const catalogues = new WeakMap<readonly ProdutoLoja[], ReadCatalogue>()

/** The produtos as the parser reads them, with the numbers of the list that the customer sees. */
function orderProdutos(
  produtos: readonly ProdutoLoja[],
  itens: readonly { readonly id: string }[],
): readonly OrderProduto[] {
  const shown = itens.map(({ id }) => id).join(' ')
  const ready = catalogues.get(produtos)
  if (ready?.shown === shown) return ready.produtos
  const read = numbered(produtos, new Map(itens.map(({ id }, index) => [id, index + 1])))
  catalogues.set(produtos, { shown, produtos: read })
  return read
}

const unnumbered = new WeakMap<readonly ProdutoLoja[], readonly OrderProduto[]>()

/** The produtos for a text of a customer who sees no list of them. */
function namedProdutos(produtos: readonly ProdutoLoja[]): readonly OrderProduto[] {
  const read = unnumbered.get(produtos) ?? numbered(produtos, new Map())
  unnumbered.set(produtos, read)
  return read
}

function numbered(produtos: readonly ProdutoLoja[], numbers: ReadonlyMap<string, number>): readonly OrderProduto[] {
  return produtos.map(({ id, nome, sinonimos = [], grupos = [] }) => ({
    ...{ id, nome, sinonimos, grupos },
    numero: numbers.get(id) ?? -1,
  }))
}

function showNextPage(turno: EngineTurn, state: LojaState): StepResult {
  const pages = Math.max(1, Math.ceil(state.itens.length / LOJA_POR_PAGINA))
  // After the last page `mais` shows the first one.
  const next: LojaState = { ...state, pagina: (state.pagina + 1) % pages }
  return { state: next, effects: [catalogueEffect(turno.context, next)] }
}

function catalogueEffect({ produtos }: BotContext, { itens, pagina }: LojaState): BotEffect {
  return choicesEffect(catalogueText(itens, produtos, pagina), catalogueChoices(itens, produtos, pagina))
}

/** One message, or picture and text separately when the text is too long for a caption. */
function produtoEffects(produto: ProdutoLoja): BotEffect[] {
  const { imagemUrl = '', nome } = produto
  const palavrasDele = produtoText(produto)
  if (imagemUrl === '') return [textEffect(palavrasDele)]
  if (palavrasDele.length <= CAPTION_MAX) return [{ tipo: 'enviarImagem', imagemUrl, legenda: palavrasDele }]
  return [{ tipo: 'enviarImagem', imagemUrl, legenda: `*${nome}*` }, textEffect(palavrasDele)]
}
