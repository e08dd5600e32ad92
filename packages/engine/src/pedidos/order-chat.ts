import { textEffect } from '#effect.ts'
import type { EngineTurn } from '#engine-turn.ts'
import type { OrderAct, SimpleOrderAct } from '#order-text/acts.ts'
import { parseOpcoes } from '#order-text/parse-opcoes.ts'
import { type Cart, emptyCart, itemText, placeOf, setQuantity } from './cart.ts'
import { answerQuestion, withCupom } from './checkout.ts'
import {
  addPending,
  asking,
  checkout,
  type OrderDraft,
  draftOf,
  notFound,
  type OrderTalk,
  produtoOf,
  withSaid,
  settle,
} from './order-draft.ts'
import {
  askGroup,
  chosenOf,
  groupProblem,
  isPosition,
  type PendingItem,
  type Question,
  readChoice,
} from './questions.ts'

/** Adds, removes and changes items in the order said, and asks what is left open. No act: the text is not understood. */
export function applyOrder(
  turn: EngineTurn,
  { cart, question }: { readonly cart: Cart | null; readonly question: Question | null },
  acts: readonly OrderAct[],
): OrderTalk {
  const start = reopened(draftOf(turn, cart ?? emptyCart(turn.now)), question)
  // Only a summary that the customer saw can be confirmed.
  const [act] = acts
  if (question?.tipo === 'resumo' && acts.length === 1 && act?.tipo === 'confirmar') {
    return { cart: start.cart, question, said: [], confirmed: true }
  }
  if (acts.length === 0) return settle(withSaid(start, '🤔 Não entendi. Responda com o número ou o nome.'))
  // Words such as 'calabresa' may mean the produto under the question. It is asked about anyway.
  const asked = question?.tipo === 'grupo' ? question.item.produtoId : ''
  const meant = acts.filter((act) => act.tipo !== 'duvida' || !act.candidatos.includes(asked))
  return settle(meant.reduce(applyAct, withoutNamed(start, meant.flatMap(addedIds))))
}

interface Reply {
  readonly text: string
  /** The text read as an order. */
  readonly acts: readonly OrderAct[]
}

/** Asks for what the cart lacks, or shows its summary. */
export function openCheckout(turn: EngineTurn, cart: Cart): OrderTalk {
  return checkout(draftOf(turn, cart))
}

/** Reads a message as the answer to the question. Null: it is no answer. */
export function answerOrder(turn: EngineTurn, cart: Cart, question: Question, reply: Reply): OrderTalk | null {
  const start = draftOf(turn, cart)
  switch (question.tipo) {
    case 'grupo':
      return answerGroup(start, question, reply)
    case 'produto':
      return answerProduto(start, question, reply.text)
    case 'entrega':
    case 'endereco':
    case 'bairro':
    case 'pagamento':
    case 'troco':
    case 'resumo': {
      const answer = answerQuestion(turn.context, cart, question.tipo, reply.text)
      if (answer === null) return null
      if ('problem' in answer) return { cart, question, said: [textEffect(answer.problem)], confirmed: false }
      return checkout({ ...start, cart: answer.cart })
    }
  }
}

/** Items under an open question stay in the order until they are chosen, removed or named again. */
function reopened(draft: OrderDraft, question: Question | null): OrderDraft {
  if (question?.tipo === 'grupo') return { ...draft, pending: [question.item, ...question.fila] }
  return question?.tipo === 'produto' ? { ...draft, pending: question.fila, doubt: question } : draft
}

type PlainAct = SimpleOrderAct | 'mostrar' | 'listar'
type ItemAct = Exclude<OrderAct, { tipo: PlainAct }>

const ITEM_ACTS: ReadonlySet<string> = new Set([
  ...(['adicionar', 'duvida', 'naoAchei', 'tirar', 'trocar', 'cupom'] satisfies ItemAct['tipo'][]),
])
const isItemAct = (act: OrderAct): act is ItemAct => ITEM_ACTS.has(act.tipo)

function applyAct(draft: OrderDraft, act: OrderAct): OrderDraft {
  return isItemAct(act) ? applyItemAct(draft, act) : applyPlainAct(draft, act.tipo)
}

function applyItemAct(draft: OrderDraft, act: ItemAct): OrderDraft {
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
        : withSaid(draft, `🤔 Não entendi a quantidade em “${act.trecho}”. Peça de 1 a 999.`)
    case 'tirar':
      return 'item' in act
        ? removeAt(draft, act.item - 1, undefined)
        : (withoutOpen(draft, act.produtoIds) ?? removeAt(draft, placeOf(draft.cart, act.produtoIds), act.quantidade))
    case 'trocar':
      return changeAt(draft, placeOf(draft.cart, act.produtoIds), act.quantidade)
    case 'cupom':
      return applyCupom(draft, act.codigo)
  }
}

/** The shop answers questions about produtos before an order is read. */
function applyPlainAct(draft: OrderDraft, act: PlainAct): OrderDraft {
  switch (act) {
    case 'limpar': {
      const cart = emptyCart(draft.turn.now)
      return withSaid({ ...draft, cart, pending: [], doubt: null }, '🗑️ Seu pedido está vazio de novo.')
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

function addedIds(act: OrderAct): readonly string[] {
  if (act.tipo === 'duvida') return act.candidatos
  return act.tipo === 'adicionar' ? [act.produtoId] : []
}

/** An item that the customer names again replaces the one under the question. */
function withoutNamed(draft: OrderDraft, produtoIds: readonly string[]): OrderDraft {
  const { pending, doubt } = draft
  return {
    ...draft,
    pending: pending.filter(({ produtoId }) => !produtoIds.includes(produtoId)),
    doubt: doubt?.candidatos.some((id) => produtoIds.includes(id)) === true ? null : doubt,
  }
}

/** Drops the open item that is meant; without a name the one under the question. Null: none is meant. */
function withoutOpen(draft: OrderDraft, produtoIds: readonly string[]): OrderDraft | null {
  const [first] = draft.pending
  const named = produtoIds.length > 0 ? produtoIds : (draft.doubt?.candidatos ?? (first ? [first.produtoId] : []))
  const left = withoutNamed(draft, named)
  const same = left.pending.length === draft.pending.length && left.doubt === draft.doubt
  return same ? null : withSaid(left, '➖ Tirei do pedido.')
}

function removeAt(draft: OrderDraft, at: number, amount: number | undefined): OrderDraft {
  const item = draft.cart.itens[at]
  if (item === undefined) return withSaid(draft, '🤔 Este item não está no seu pedido.')
  return changeAt(draft, at, amount === undefined ? 0 : item.quantidade - amount)
}

function changeAt(draft: OrderDraft, at: number, quantidade: number): OrderDraft {
  const item = draft.cart.itens[at]
  if (item === undefined) return withSaid(draft, '🤔 Este item não está no seu pedido.')
  const cart = setQuantity(draft.cart, at, quantidade)
  if (cart === null) return withSaid(draft, 'Um pedido tem até 999 de cada produto.')
  return withSaid(
    { ...draft, cart },
    quantidade <= 0 ? `➖ Tirei ${item.nome}.` : `✏️ ${itemText({ ...item, quantidade })}`,
  )
}

function applyCupom(draft: OrderDraft, codigo: string): OrderDraft {
  const { cart, told } = withCupom(draft.turn.context, draft.cart, codigo, draft.turn.now)
  return withSaid({ ...draft, cart }, told)
}

function answerGroup(
  draft: OrderDraft,
  question: Extract<Question, { tipo: 'grupo' }>,
  { text, acts }: Reply,
): OrderTalk | null {
  const produto = produtoOf(draft.turn, question.item.produtoId)
  const grupo = produto?.grupos?.find(({ id }) => id === question.grupoId)
  if (produto === null || grupo === undefined) return null
  const answer = parseOpcoes(text, grupo)
  if (answer.tipo !== 'escolhidas') {
    // A sentence without any option may be a command, and one with another produto is an order: '2 coxinhas'.
    const isOther = acts.some((act) => act.tipo === 'adicionar' && act.produtoId !== produto.id)
    if (answer.tipo === 'naoEntendi' && (answer.opcoes.length === 0 || isOther) && !isPosition(text)) return null
    return asking(withSaid(draft, groupProblem(answer.tipo, grupo)), question, askGroup(produto, grupo))
  }
  const kept = question.item.opcoes.filter((id) => !chosenOf(grupo, question.item.opcoes).includes(id))
  const item = { ...question.item, opcoes: [...kept, ...answer.opcoes], vistos: [...question.item.vistos, grupo.id] }
  return settle({ ...draft, pending: [item, ...question.fila] })
}

function answerProduto(
  draft: OrderDraft,
  question: Extract<Question, { tipo: 'produto' }>,
  text: string,
): OrderTalk | null {
  const chosen = readChoice(question.candidatos, text)
  const open: OrderDraft = { ...draft, pending: question.fila }
  switch (chosen.tipo) {
    case 'outraCoisa':
      return null
    case 'nenhum':
      return settle(withSaid(open, '👌 Certo, deixei de fora.'))
    case 'foraDaLista':
      return settle(withSaid({ ...open, doubt: question }, '🤔 Escolha um número da lista.'))
    case 'produto':
      return settle(addPending(open, { ...question.item, produtoId: chosen.produtoId }))
  }
}
