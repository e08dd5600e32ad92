import type { ProdutoLoja } from '#context.ts'
import { type BotEffect, choicesEffect, textEffect } from '#effect.ts'
import type { EngineTurn } from '#engine-turn.ts'
import { addItem, type Cart, type CartItem, cartText, itemText, reais } from './cart.ts'
import { ask, nextQuestion, withOnlyChoices } from './checkout.ts'
import { type Asked, askGroup, askProduto, openGroup, type PendingItem, type Question } from './questions.ts'
import { isOnSale, priceItem, subtotalOf } from './totals.ts'

/** An order while one message changes it, and what the bot says at the end. */

/** The order of a customer after one message. */
export interface OrderTalk {
  readonly cart: Cart
  readonly question: Question | null
  readonly said: readonly BotEffect[]
  /** The customer accepted the summary. */
  readonly confirmed: boolean
}

/** Items that still need an answer are asked one after the other. */
export interface OrderDraft {
  readonly turn: EngineTurn
  readonly cart: Cart
  readonly said: readonly string[]
  readonly pending: readonly PendingItem[]
  readonly doubt: { readonly candidatos: readonly string[]; readonly item: PendingItem } | null
  readonly finish: boolean
  readonly show: boolean
}

const MAX_ITEMS = 50

export function draftOf(turn: EngineTurn, cart: Cart): OrderDraft {
  return { turn, cart: { ...cart, mudouEm: turn.now }, said: [], pending: [], doubt: null, finish: false, show: false }
}

export const withSaid = (draft: OrderDraft, ...said: readonly string[]): OrderDraft => ({
  ...draft,
  said: [...draft.said, ...said],
})

export const notFound = (draft: OrderDraft, excerpt: string): OrderDraft =>
  withSaid(draft, `🔎 Não encontrei “${excerpt}” no cardápio.`)

export function addPending(draft: OrderDraft, item: PendingItem): OrderDraft {
  const produto = produtoOf(draft.turn, item.produtoId)
  if (produto === null) return withSaid(draft, SOLD_OUT)
  if (draft.cart.itens.length + draft.pending.length >= MAX_ITEMS)
    return withSaid(draft, `Um pedido tem até ${MAX_ITEMS} itens.`)
  return openGroup(produto, item) === null
    ? addReady(draft, produto, item)
    : { ...draft, pending: [...draft.pending, item] }
}

function addReady(draft: OrderDraft, produto: ProdutoLoja, item: PendingItem): OrderDraft {
  const priced = priceItem({ ...produto, grupos: produto.grupos ?? [] }, { ...item, produtoId: produto.id })
  if (priced.tipo !== 'item') return notFound(draft, produto.nome)
  const { opcoes, ...sold } = priced.item
  const added: CartItem = { ...sold, opcoes: item.opcoes, detalhes: opcoes.map(({ nome }) => nome) }
  const cart = addItem(draft.cart, added)
  return cart === null
    ? withSaid(draft, `Um pedido tem até 999 de cada produto.`)
    : withSaid({ ...draft, cart }, `✅ ${itemText(added)}`)
}

/** Asks about the first open item, or goes on with the checkout, or says how the order stands. */
export function settle(draft: OrderDraft): OrderTalk {
  const asked = askOpen(draft)
  if (asked !== null) return asked
  if (draft.finish) return checkout(draft)
  if (draft.show) return ended(draft, draft.cart.itens.length === 0 ? EMPTY : `${cartText(draft.cart)}\n\n${HOW_ON}`)
  return ended(
    draft,
    draft.cart.itens.length === 0 ? '' : `🛒 Subtotal: *${reais(subtotalOf(draft.cart.itens))}*. ${HOW_ON}`,
  )
}

/** Asks about the item in doubt, then about the first one without its options. Null: all items are complete. */
function askOpen(draft: OrderDraft): OrderTalk | null {
  const { doubt, turn } = draft
  const options = (doubt?.candidatos ?? []).flatMap((id) => produtoOf(turn, id) ?? [])
  if (doubt !== null && options.length > 0) {
    const candidatos = options.map(({ id }) => id)
    return asking(
      withReason(draft),
      { tipo: 'produto', candidatos, item: doubt.item, fila: [...draft.pending] },
      askProduto(options),
    )
  }
  const [item, ...fila] = draft.pending
  if (item === undefined) return null
  const produto = produtoOf(turn, item.produtoId)
  if (produto === null) return settle(withSaid({ ...draft, pending: fila }, SOLD_OUT))
  const grupo = openGroup(produto, item)
  if (grupo === null) return settle(addReady({ ...draft, pending: fila }, produto, item))
  return asking(withReason(draft), { tipo: 'grupo', grupoId: grupo.id, item, fila }, askGroup(produto, grupo))
}

function withReason(draft: OrderDraft): OrderDraft {
  const shown = draft.show && draft.cart.itens.length > 0 ? withSaid(draft, cartText(draft.cart)) : draft
  return draft.finish ? withSaid(shown, '☝️ Antes de fechar, falta escolher isto:') : shown
}

const SOLD_OUT = '😕 Este produto não está disponível agora.'
const EMPTY = '🛒 Seu pedido está vazio. Escreva o que deseja, como *2 coxinhas*.'
const HOW_ON = 'Peça mais, veja o *carrinho* ou escreva *fechar*.'

function ended(draft: OrderDraft, last: string): OrderTalk {
  const said = [...draft.said, ...(last === '' ? [] : [last])].join('\n')
  return { cart: draft.cart, question: null, said: said === '' ? [] : [textEffect(said)], confirmed: false }
}

export function asking({ cart, said }: OrderDraft, question: Question, { texto, escolhas }: Asked): OrderTalk {
  const content = [...said, texto].join('\n\n')
  const effect = escolhas.length === 0 ? textEffect(content) : choicesEffect(content, escolhas)
  return { cart, question, said: [effect], confirmed: false }
}

export function checkout(draft: OrderDraft): OrderTalk {
  const { context, now } = draft.turn
  if (draft.cart.itens.length === 0) return ended(draft, EMPTY)
  const cart = withOnlyChoices(context, draft.cart)
  const least = context.config.loja.entrega.minimoCentavos
  if (cart.entrega?.tipo === 'entrega' && subtotalOf(cart.itens) < least) {
    return ended(
      { ...draft, cart: { ...cart, entrega: null } },
      `🛵 Entregamos pedidos a partir de ${reais(least)}. ${HOW_ON}`,
    )
  }
  const question = nextQuestion(context, cart)
  return asking({ ...draft, cart }, { tipo: question }, ask(context, cart, question, now))
}

/** Null for a produto that is not on sale now. */
export function produtoOf({ context, now }: EngineTurn, id: string): ProdutoLoja | null {
  const produto = context.produtos.find((one) => one.id === id)
  return produto === undefined || !isOnSale(produto, now) ? null : produto
}
