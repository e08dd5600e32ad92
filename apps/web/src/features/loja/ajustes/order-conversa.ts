import type { LojaConfig, TaxaEntrega } from '@balcao/contract/entities/loja'
import type { Grupo } from '@balcao/contract/entities/produto'
import type { BotContext, ProdutoLoja } from '@balcao/engine/context'
import type { Cart } from '@balcao/engine/pedidos/cart'
import { cartSums } from '@balcao/engine/pedidos/checkout'
import { isOnSale } from '@balcao/engine/pedidos/totals'
import { statusText } from '@balcao/engine/pedidos/order-end'
import type { Question } from '@balcao/engine/pedidos/questions'
import { centavosOf } from '@balcao/engine/pedidos/totals'
import type { BotState } from '@balcao/engine/state'
import { initialPreview, previewReducer, type PreviewState } from '#shared/preview/preview-state.ts'
import type { Bubble } from '#shared/preview/transcript.ts'

/** A customer who orders one produto, played by the bot's own engine. */

const SAMPLE: ProdutoLoja = {
  ...{ id: 'exemplo', nome: 'Bolo de fubá cremoso', descricao: 'Assado no dia, serve 12 pedaços.', preco: 32 },
}

/** The bot takes faster answers for another bot's. */
const BETWEEN_MS = 30_000

/** A shop that cannot end an order asks the same again. */
const TURNS_MAX = 16

/** The bubbles from the greeting to the delivered order. The current time is in ms. */
export function orderConversaOf(draft: BotContext, now: number): readonly Bubble[] {
  const context = draft.produtos.length === 0 ? { ...draft, produtos: [SAMPLE] } : draft
  const { config, produtos } = context
  const opcao = config.menu.opcoes.find(({ tipo }) => tipo === 'loja')
  const produto = produtos.find((one) => isOnSale(one, now))
  if (opcao === undefined) return []
  const send = (state: PreviewState, texto: string): PreviewState =>
    previewReducer(state, { tipo: 'enviar', texto, agora: state.now + BETWEEN_MS, contexto: context })
  const listed = ['oi', opcao.numero].reduce(send, initialPreview(now))
  if (!config.loja.pedidos || produto === undefined) return listed.bubbles
  let state = send(listed, orderText(config.loja, produto))
  if (!isUnderstood(state.bot)) state = [String(produtos.indexOf(produto) + 1), 'quero 1'].reduce(send, listed)
  for (let turns = 0; turns < TURNS_MAX; turns += 1) {
    const answer = nextAnswer(context, state)
    if (answer === null) break
    const { carrinho } = state.bot
    state = send(state, answer)
    if (carrinho !== null && answer === CONFIRM) {
      return [...state.bubbles, ...statusBubbles(context, carrinho, state)]
    }
  }
  return state.bubbles
}

const CONFIRM = 'confirmar'
const FINISH = 'fechar'

const isUnderstood = (bot: BotState): boolean =>
  bot.etapa === 'loja' && (bot.duvida !== null || (bot.carrinho?.itens.length ?? 0) > 0)

/** As many as the least sum of a delivery asks for. */
function orderText({ entrega: { ativa, minimoCentavos } }: LojaConfig, { nome, preco }: ProdutoLoja): string {
  const centavos = centavosOf(preco)
  const needed = ativa && centavos > 0 ? Math.ceil(minimoCentavos / centavos) : 1
  return `${Math.min(999, Math.max(1, needed))} ${nome}`
}

/** Null: the customer has no more to say. */
function nextAnswer(context: BotContext, { bot, bubbles }: PreviewState): string | null {
  if (bot.etapa !== 'loja' || !isUnderstood(bot)) return null
  if (bot.duvida !== null) return answerTo(context, bot.duvida)
  // Below the least sum of a delivery the bot refuses to end the order.
  return bubbles.some(({ texto }) => texto === FINISH) ? null : FINISH
}

function answerTo({ config: { loja }, produtos }: BotContext, question: Question): string {
  const [place] = loja.entrega.taxas
  switch (question.tipo) {
    case 'grupo':
      return optionsText(produtos.flatMap(({ grupos = [] }) => grupos).find(({ id }) => id === question.grupoId))
    case 'produto':
    case 'pagamento':
      return '1'
    case 'entrega':
      return place === undefined ? 'retirar' : 'entrega'
    case 'endereco':
      return `Rua das Flores, 10, ${placeText(place)}`
    case 'bairro':
      return placeText(place)
    case 'troco':
      return 'não'
    case 'resumo':
      return CONFIRM
  }
}

function optionsText({ minimo }: Pick<Grupo, 'minimo'> = { minimo: 0 }): string {
  return minimo === 0 ? 'sem' : Array.from({ length: minimo }, (_, index) => index + 1).join(' e ')
}

function placeText({ bairro = '', cepDe = '' }: Partial<TaxaEntrega> = {}): string {
  return bairro === '' ? cepDe : bairro
}

/** The texts of the later steps, as the shop sends them. A pick-up skips the delivery. */
function statusBubbles(context: BotContext, cart: Cart, { bubbles, now }: PreviewState): Bubble[] {
  const { totalCentavos } = cartSums(context, cart, now)
  const steps = cart.entrega?.tipo === 'entrega' ? DELIVERY_STEPS : PICK_UP_STEPS
  return steps
    .map((status) => statusText(context.config.loja, status, { numero: 1, totalCentavos }))
    .filter((texto) => texto.trim() !== '')
    .map((texto, index) => ({ tipo: 'bot', id: bubbles.length + index, texto, opcoes: new Map() }))
}

const PICK_UP_STEPS = ['preparo', 'entregue'] as const
const DELIVERY_STEPS = ['preparo', 'saiu', 'entregue'] as const
