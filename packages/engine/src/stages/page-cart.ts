import { type BotEffect, textEffect } from '#effect.ts'
import type { MensagemCliente } from '#event.ts'
import { showMenu, type StepResult, type EngineTurn } from '#engine-turn.ts'
import type { Cart } from '#pedidos/cart.ts'
import { summaryOf } from '#pedidos/checkout.ts'
import { openCheckout } from '#pedidos/order-chat.ts'
import { PHRASES } from '#phrases.ts'
import { foldText } from '#rules/text.ts'
import { type BotState, isSilentAt } from '#state.ts'
import { atFirstPage } from './loja.ts'

/** Carts of the menu on the web. A code or a signed link makes one the customer's. */

/** Without 0, O, 1 and I, which people confuse. */
export const CART_CODE_SIGNS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
export const CART_CODE_LENGTH = 6
const CODES_MAX = 3

/** A code has a letter and a digit, so that no word of a sentence and no number is one. */
export function isCartCode(text: string): boolean {
  return (
    text.length === CART_CODE_LENGTH &&
    /[A-Z]/.test(text) &&
    /\d/.test(text) &&
    [...text].every((sign) => CART_CODE_SIGNS.includes(sign))
  )
}

function codesIn(text: string): string[] {
  const words = text.toUpperCase().split(/[^\p{L}\p{N}]+/u)
  return words.filter(isCartCode).slice(0, CODES_MAX)
}

/** The search that the message needs before its step. None: it names no code, or the search is done. */
export function cartSearch({ context }: EngineTurn, { texto, carrinho }: MensagemCliente): BotEffect[] {
  const { pedidos, pagina } = context.config.loja
  if (!pedidos || pagina.endereco === '' || carrinho !== undefined) return []
  const codigos = codesIn(texto)
  return codigos.length === 0 ? [] : [{ tipo: 'buscarCarrinho', codigos }]
}

/** Answers a code. Null: the message has none. */
export function answerCartCode(turn: EngineTurn, { texto, carrinho = null }: MensagemCliente): StepResult | null {
  if (carrinho !== null) return takeCart(turn, carrinho)
  const namesPage = codesIn(texto).length > 0 && foldText(texto).includes('cardapio')
  return namesPage ? showMenu(turn, [textEffect(PHRASES.codigoSemCarrinho)]) : null
}

/** While people serve the customer, they confirm the order. The bot only shows it. */
export function showCartToPeople(turn: EngineTurn, state: BotState, carrinho: Cart | null): StepResult {
  if (carrinho === null) return { state, effects: [] }
  const text = `${summaryOf(turn.context, carrinho, turn.now)}\n\n${PHRASES.lojaConfirma}`
  return { state: { ...state, carrinho }, effects: state.paradoEm === null ? [textEffect(text)] : [] }
}

/** A cart that the page sent for this customer. */
export function receiveCart(turn: EngineTurn, state: BotState, carrinho: Cart): StepResult {
  if (state.paradoEm !== null || isSilentAt(state, turn.now)) return { state: { ...state, carrinho }, effects: [] }
  if (state.etapa === 'humano') return showCartToPeople(turn, state, carrinho)
  return takeCart({ ...turn, memory: { ...turn.memory, ultimaEm: turn.now } }, carrinho)
}

function takeCart(turn: EngineTurn, cart: Cart): StepResult {
  const { cart: carrinho, question: duvida, said } = openCheckout(turn, cart)
  return { state: { ...atFirstPage(turn), carrinho, duvida }, effects: said }
}
