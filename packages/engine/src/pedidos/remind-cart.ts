import type { LojaConfig } from '@balcao/contract/entities/loja'
import { textEffect } from '#effect.ts'
import type { EngineTurn, StepResult } from '#engine-turn.ts'
import { type BotState, isSilentAt } from '#state.ts'
import { type Cart, cartText } from './cart.ts'

/** Within it Meta lets a shop write. Carts change only by messages of the customer. */
const WINDOW_MS = 24 * 3_600_000

/** When the customer is reminded of this cart, in ms. Null: never, or it happened. */
export function reminderAt({ pedidos, lembreteMinutos }: LojaConfig, cart: Cart | null): number | null {
  if (cart === null || cart.itens.length === 0 || cart.lembrado === true) return null
  return pedidos && lembreteMinutos > 0 ? cart.mudouEm + lembreteMinutos * 60_000 : null
}

/** Reminds once of an unfinished cart, never after a request to stop and never while people serve the customer. */
export function remindCart(turn: EngineTurn, state: BotState): StepResult {
  const { carrinho } = state
  const at = reminderAt(turn.context.config.loja, carrinho)
  if (
    carrinho === null ||
    at === null ||
    at > turn.now ||
    turn.now - carrinho.mudouEm >= WINDOW_MS ||
    isQuiet(state, turn)
  ) {
    return { state, effects: [] }
  }
  const cart: Cart = { ...carrinho, lembrado: true }
  return { state: backInLoja(turn, state, cart), effects: [textEffect(`${FORGOTTEN}\n\n${cartText(cart)}\n\n${HOW}`)] }
}

const FORGOTTEN = '👋 Você deixou um pedido começado.'
const HOW = 'Para terminar, escreva *fechar*. Se desistiu, escreva *limpar*.'

function isQuiet(state: BotState, { now }: EngineTurn): boolean {
  const withPeople = state.etapa === 'humano' || state.etapa === 'avaliando'
  return withPeople || state.paradoEm !== null || isSilentAt(state, now)
}

/** The next message is read in the shop, although the dialogue would have ended. */
function backInLoja({ memory, now, context }: EngineTurn, state: BotState, carrinho: Cart): BotState {
  if (state.etapa === 'loja') return { ...state, ultimaEm: now, carrinho }
  const itens = context.produtos.map(({ id, nome }) => ({ id, nome }))
  const fresh = { ...memory, ultimaEm: now, erros: 0, pergunta: null, carrinho }
  return { ...fresh, etapa: 'loja', pagina: 0, itens, mostrado: null, duvida: null }
}
