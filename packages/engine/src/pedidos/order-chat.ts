import type { ProdutoLoja } from '#context.ts'
import { type BotEffect, choicesEffect, textEffect } from '#effect.ts'
import type { EngineTurn } from '#engine-turn.ts'
import type { OrderAct, OrderProduto, SimpleOrderAct } from '#order-text/acts.ts'
import { parseOpcoes } from '#order-text/parse-opcoes.ts'
import {
  addItem,
  type Cart,
  type CartItem,
  cartText,
  emptyCart,
  itemText,
  placeOf,
  reais,
  setQuantity,
} from './cart.ts'
import { answerQuestion, ask, cupomOf, nextQuestion, withOnlyChoices } from './checkout.ts'
import { type Asked, askGroup, askProduto, chosenOf, openGroup, type PendingItem, type Question } from './questions.ts'
import { cupomRefusal, priceItem, subtotalOf } from './totals.ts'

/** The order of a customer after one message. */
export interface OrderTalk {
  readonly cart: Cart
  readonly question: Question | null
  readonly said: readonly BotEffect[]
  /** The customer accepted the summary. */
  readonly confirmed: boolean
}

/** Items that still need an answer are asked one after the other. */
interface Draft {
  readonly turn: EngineTurn
  readonly cart: Cart
  readonly said: readonly string[]
  readonly pending: readonly PendingItem[]
  readonly doubt: { readonly candidatos: readonly string[]; readonly item: PendingItem } | null
  readonly finish: boolean
  readonly show: boolean
}

const MAX_ITEMS = 50

/** Adds, removes and changes items in the order said, and asks what is left open. */
export function applyOrder(
  turn: EngineTurn,
  { cart, question }: { readonly cart: Cart | null; readonly question: Question | null },
  acts: readonly OrderAct[],
): OrderTalk {
  const start = draftOf(turn, cart ?? emptyCart(turn.now))
  // Only a summary that the customer saw can be confirmed.
  const [act] = acts
  if (question?.tipo === 'resumo' && acts.length === 1 && act?.tipo === 'confirmar') {
    return { cart: start.cart, question, said: [], confirmed: true }
  }
  return settle(acts.reduce(applyAct, start))
}

/** Asks for what the cart lacks, or shows its summary. */
export function openCheckout(turn: EngineTurn, cart: Cart): OrderTalk {
  return checkout(draftOf(turn, cart))
}

/** Reads a message as the answer to the question. Null: it is no answer. */
export function answerOrder(turn: EngineTurn, cart: Cart, question: Question, text: string): OrderTalk | null {
  const start = draftOf(turn, cart)
  switch (question.tipo) {
    case 'grupo':
      return answerGroup(start, question, text)
    case 'produto':
      return answerProduto(start, question, text)
    case 'entrega':
    case 'endereco':
    case 'bairro':
    case 'pagamento':
    case 'troco':
    case 'resumo': {
      const answer = answerQuestion(turn.context, cart, question.tipo, text)
      if (answer === null) return null
      if ('problem' in answer) return { cart, question, said: [textEffect(answer.problem)], confirmed: false }
      return checkout({ ...start, cart: answer.cart })
    }
  }
}

function draftOf(turn: EngineTurn, cart: Cart): Draft {
  return { turn, cart: { ...cart, mudouEm: turn.now }, said: [], pending: [], doubt: null, finish: false, show: false }
}

const say = (draft: Draft, ...said: readonly string[]): Draft => ({ ...draft, said: [...draft.said, ...said] })

type PlainAct = SimpleOrderAct | 'mostrar' | 'listar'
type ItemAct = Exclude<OrderAct, { tipo: PlainAct }>

const ITEM_ACTS: ReadonlySet<string> = new Set([
  ...(['adicionar', 'duvida', 'naoAchei', 'tirar', 'trocar', 'cupom'] satisfies ItemAct['tipo'][]),
])
const isItemAct = (act: OrderAct): act is ItemAct => ITEM_ACTS.has(act.tipo)

function applyAct(draft: Draft, act: OrderAct): Draft {
  return isItemAct(act) ? applyItemAct(draft, act) : applyPlainAct(draft, act.tipo)
}

function applyItemAct(draft: Draft, act: ItemAct): Draft {
  switch (act.tipo) {
    case 'adicionar':
      return addPending(draft, pendingOf(act, act.produtoId))
    case 'duvida':
      return draft.doubt === null
        ? { ...draft, doubt: { candidatos: act.candidatos, item: pendingOf(act, '') } }
        : notFound(draft, act.trecho)
    case 'naoAchei':
      return act.motivo === 'produto'
        ? notFound(draft, act.trecho)
        : say(draft, `🤔 Não entendi a quantidade em “${act.trecho}”. Peça de 1 a 999.`)
    case 'tirar':
      return 'item' in act
        ? removeAt(draft, act.item - 1, undefined)
        : removeAt(draft, placeOf(draft.cart, act.produtoIds), act.quantidade)
    case 'trocar':
      return changeAt(draft, placeOf(draft.cart, act.produtoIds), act.quantidade)
    case 'cupom':
      return applyCupom(draft, act.codigo)
  }
}

/** The shop answers questions about produtos before an order is read. */
function applyPlainAct(draft: Draft, act: PlainAct): Draft {
  switch (act) {
    case 'limpar': {
      const cart = emptyCart(draft.turn.now)
      return say({ ...draft, cart, pending: [], doubt: null }, '🗑️ Seu pedido está vazio de novo.')
    }
    case 'verCarrinho':
      return { ...draft, show: true }
    case 'finalizar':
    case 'confirmar':
      return { ...draft, finish: true }
    case 'mostrar':
    case 'listar':
    case 'mais':
    case 'sair':
      return draft
  }
}

type NamedItem = Extract<OrderAct, { tipo: 'adicionar' | 'duvida' }>

function pendingOf({ quantidade, opcoes, observacao = '' }: NamedItem, produtoId: string): PendingItem {
  return { produtoId, quantidade, opcoes: [...opcoes], observacao, vistos: [] }
}

const notFound = (draft: Draft, excerpt: string): Draft => say(draft, `🔎 Não encontrei “${excerpt}” no cardápio.`)

function addPending(draft: Draft, item: PendingItem): Draft {
  const produto = produtoOf(draft.turn, item.produtoId)
  if (produto === null) return say(draft, '😕 Este produto não está disponível agora.')
  if (draft.cart.itens.length + draft.pending.length >= MAX_ITEMS)
    return say(draft, `Um pedido tem até ${MAX_ITEMS} itens.`)
  return openGroup(produto, item) === null
    ? addReady(draft, produto, item)
    : { ...draft, pending: [...draft.pending, item] }
}

function addReady(draft: Draft, produto: ProdutoLoja, item: PendingItem): Draft {
  const priced = priceItem({ ...produto, grupos: produto.grupos ?? [] }, { ...item, produtoId: produto.id })
  if (priced.tipo !== 'item') return notFound(draft, produto.nome)
  const { opcoes, ...sold } = priced.item
  const added: CartItem = { ...sold, opcoes: item.opcoes, detalhes: opcoes.map(({ nome }) => nome) }
  const cart = addItem(draft.cart, added)
  return cart === null
    ? say(draft, `Um pedido tem até 999 de cada produto.`)
    : say({ ...draft, cart }, `✅ ${itemText(added)}`)
}

function removeAt(draft: Draft, at: number, amount: number | undefined): Draft {
  const item = draft.cart.itens[at]
  if (item === undefined) return say(draft, '🤔 Este item não está no seu pedido.')
  return changeAt(draft, at, amount === undefined ? 0 : item.quantidade - amount)
}

function changeAt(draft: Draft, at: number, quantidade: number): Draft {
  const item = draft.cart.itens[at]
  if (item === undefined) return say(draft, '🤔 Este item não está no seu pedido.')
  const cart = setQuantity(draft.cart, at, quantidade)
  if (cart === null) return say(draft, 'Um pedido tem até 999 de cada produto.')
  return say({ ...draft, cart }, quantidade <= 0 ? `➖ Tirei ${item.nome}.` : `✏️ ${itemText({ ...item, quantidade })}`)
}

const REFUSALS = {
  inativo: 'não vale mais',
  vencido: 'venceu',
  minimo: 'precisa de um pedido maior',
  esgotado: 'já foi usado',
} as const

function applyCupom(draft: Draft, codigo: string): Draft {
  const cupom = cupomOf(draft.turn.context, codigo)
  if (cupom === null) return say(draft, `🎟️ O cupom ${codigo} não existe.`)
  const subtotalCentavos = subtotalOf(draft.cart.itens)
  const refusal = cupomRefusal(cupom, { subtotalCentavos, now: draft.turn.now, usados: 0, doCliente: 0 })
  // The sum may still grow.
  if (refusal !== null && refusal !== 'minimo') return say(draft, `🎟️ O cupom ${codigo} ${REFUSALS[refusal]}.`)
  const least = refusal === 'minimo' ? ` Vale a partir de ${reais(cupom.minimoCentavos)}.` : ''
  return say({ ...draft, cart: { ...draft.cart, cupom: cupom.codigo } }, `🎟️ Cupom ${cupom.codigo} anotado.${least}`)
}

/** Asks about the first open item, or goes on with the checkout, or says how the order stands. */
function settle(draft: Draft): OrderTalk {
  const [item, ...queue] = draft.pending
  const produto = item === undefined ? null : produtoOf(draft.turn, item.produtoId)
  if (item !== undefined && produto !== null) {
    const grupo = openGroup(produto, item)
    if (grupo !== null) {
      const question: Question = { tipo: 'grupo', grupoId: grupo.id, item, fila: queue }
      return asking(draft, question, askGroup(produto, grupo))
    }
    return settle(addReady({ ...draft, pending: queue }, produto, item))
  }
  if (draft.doubt !== null) {
    const { candidatos, item: doubted } = draft.doubt
    const options = candidatos.flatMap((id) => produtoOf(draft.turn, id) ?? [])
    if (options.length > 0) {
      return asking(
        draft,
        { tipo: 'produto', candidatos: options.map(({ id }) => id), item: doubted, fila: [] },
        askProduto(options),
      )
    }
  }
  if (draft.finish) return checkout(draft)
  if (draft.show) return ended(draft, draft.cart.itens.length === 0 ? EMPTY : `${cartText(draft.cart)}\n\n${HOW_ON}`)
  return ended(
    draft,
    draft.cart.itens.length === 0 ? '' : `🛒 Subtotal: *${reais(subtotalOf(draft.cart.itens))}*. ${HOW_ON}`,
  )
}

const EMPTY = '🛒 Seu pedido está vazio. Escreva o que deseja, como *2 coxinhas*.'
const HOW_ON = 'Peça mais, veja o *carrinho* ou escreva *fechar*.'

function ended(draft: Draft, last: string): OrderTalk {
  const said = [...draft.said, ...(last === '' ? [] : [last])].join('\n')
  return { cart: draft.cart, question: null, said: said === '' ? [] : [textEffect(said)], confirmed: false }
}

function asking({ cart, said }: Draft, question: Question, { texto, escolhas }: Asked): OrderTalk {
  const content = [...said, texto].join('\n\n')
  const effect = escolhas.length === 0 ? textEffect(content) : choicesEffect(content, escolhas)
  return { cart, question, said: [effect], confirmed: false }
}

function checkout(draft: Draft): OrderTalk {
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

function answerGroup(draft: Draft, question: Extract<Question, { tipo: 'grupo' }>, text: string): OrderTalk | null {
  const produto = produtoOf(draft.turn, question.item.produtoId)
  const grupo = produto?.grupos?.find(({ id }) => id === question.grupoId)
  if (produto === null || grupo === undefined) return null
  const answer = parseOpcoes(text, grupo)
  if (answer.tipo !== 'escolhidas') {
    // A sentence without any option may be a command or another order.
    if (answer.tipo === 'naoEntendi' && answer.opcoes.length === 0) return null
    return asking(say(draft, problemOf(answer.tipo, grupo.minimo, grupo.maximo)), question, askGroup(produto, grupo))
  }
  const kept = question.item.opcoes.filter((id) => !chosenOf(grupo, question.item.opcoes).includes(id))
  const item = { ...question.item, opcoes: [...kept, ...answer.opcoes], vistos: [...question.item.vistos, grupo.id] }
  return settle({ ...draft, pending: [item, ...question.fila] })
}

function problemOf(tipo: 'naoEntendi' | 'indisponivel' | 'demais' | 'poucas', minimo: number, maximo: number): string {
  switch (tipo) {
    case 'demais':
      return `Escolha no máximo ${maximo}.`
    case 'poucas':
      return `Escolha pelo menos ${minimo}.`
    case 'indisponivel':
      return '😕 Esta opção acabou.'
    case 'naoEntendi':
      return '🤔 Não entendi uma das opções.'
  }
}

function answerProduto(draft: Draft, question: Extract<Question, { tipo: 'produto' }>, text: string): OrderTalk | null {
  const number = /^\s*(\d{1,2})\s*$/.exec(text)
  const produtoId = number === null ? undefined : question.candidatos[Number(number[1]) - 1]
  if (produtoId === undefined) return null
  return settle({ ...addPending(draft, { ...question.item, produtoId }), pending: [...question.fila] })
}

/** Null for a produto that is not on sale now. */
function produtoOf({ context, now }: EngineTurn, id: string): ProdutoLoja | null {
  const produto = context.produtos.find((one) => one.id === id)
  return produto === undefined || !isOnSale(produto, now) ? null : produto
}

export function isOnSale(
  { estoque = null, pausadoAte }: Pick<ProdutoLoja, 'estoque' | 'pausadoAte'>,
  now: number,
): boolean {
  return estoque !== 0 && (pausadoAte === undefined || Date.parse(pausadoAte) <= now)
}

/** The produtos as the parser reads them, with the numbers of the list that the customer sees. */
export function orderProdutos(
  produtos: readonly ProdutoLoja[],
  shown: readonly { readonly id: string }[],
): readonly OrderProduto[] {
  const numbers = new Map(shown.map(({ id }, index) => [id, index + 1]))
  return produtos.map(({ id, nome, sinonimos = [], grupos = [] }) => ({
    ...{ id, nome, sinonimos, grupos },
    numero: numbers.get(id) ?? 0,
  }))
}
