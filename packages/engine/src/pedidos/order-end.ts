import type { LojaConfig } from '@balcao/contract/entities/loja'
import { type BotEffect, choicesEffect, textEffect, withPedido } from '#effect.ts'
import { type EngineTurn, sayText } from '#engine-turn.ts'
import type { OrderOutcome } from '#event.ts'
import { type Cart, reais } from './cart.ts'
import { ask, nextQuestion } from './checkout.ts'
import { pixPictureUrl } from './pix.ts'
import type { Question } from './questions.ts'

interface OrderEnd {
  /** Null: the order was made. */
  readonly cart: Cart | null
  readonly question: Question | null
  readonly said: readonly BotEffect[]
}

/** The text of a step, with the number and the sum of the order. */
export function statusText(
  { mensagens }: Pick<LojaConfig, 'mensagens'>,
  status: keyof LojaConfig['mensagens'],
  { numero, totalCentavos }: { readonly numero: number; readonly totalCentavos: number },
): string {
  return mensagens[status]
    .replaceAll('{pedido}', () => String(numero))
    .replaceAll('{total}', () => reais(totalCentavos))
}

const PIX_FOLLOWS = '💠 Pague com o PIX copia e cola abaixo. A loja confere o pagamento e avisa.'
const PIX_PICTURE = 'Ou leia o QR code com o aplicativo do seu banco.'

/** The code travels alone, and its picture follows. `pedidoId` is the order that it pays. */
export function sayPix(code: string, pedidoId?: string): BotEffect[] {
  const cobranca = pedidoId === undefined ? {} : { cobranca: pedidoId }
  return [
    textEffect(PIX_FOLLOWS),
    { tipo: 'enviarTexto', texto: code, origem: 'bot', sozinho: true, ...cobranca },
    { tipo: 'enviarImagem', imagemUrl: pixPictureUrl(code), legenda: PIX_PICTURE },
  ]
}

/** Answers a confirmation. A changed price or stock counts only after another one. */
export function endOrder(turn: EngineTurn, cart: Cart, outcome: OrderOutcome): OrderEnd {
  switch (outcome.tipo) {
    case 'feito': {
      const text = statusText(turn.context.config.loja, 'novo', outcome)
      const pix = outcome.pix === null ? [] : sayPix(outcome.pix, outcome.pedidoId)
      const said = sayText(turn, text).map((effect) => withPedido(effect, outcome.pedidoId))
      return { cart: null, question: null, said: [...said, ...pix] }
    }
    case 'cupomRecusado':
      return askAgain(turn, { ...cart, cupom: null }, [`🎟️ O cupom ${cart.cupom ?? ''} não vale mais.`])
    case 'mudou':
      return askAgain(turn, ...withChanges(cart, outcome.itens))
  }
}

function withChanges(cart: Cart, sellable: Extract<OrderOutcome, { tipo: 'mudou' }>['itens']): [Cart, string[]] {
  const told: string[] = []
  const itens = cart.itens.flatMap((item, index) => {
    const { precoCentavos, quantidade } = sellable[index] ?? item
    if (quantidade === 0) {
      told.push(`😕 ${item.nome} acabou.`)
      return []
    }
    if (quantidade < item.quantidade) told.push(`😕 De ${item.nome} só temos ${quantidade}.`)
    if (precoCentavos !== item.precoCentavos) told.push(`💰 ${item.nome} custa agora ${reais(precoCentavos)}.`)
    return [{ ...item, quantidade, precoCentavos }]
  })
  return [{ ...cart, itens }, told]
}

function askAgain({ context, now }: EngineTurn, cart: Cart, told: readonly string[]): OrderEnd {
  if (cart.itens.length === 0) {
    return { cart: null, question: null, said: [textEffect([...told, '🛒 Seu pedido está vazio.'].join('\n'))] }
  }
  const tipo = nextQuestion(context, cart)
  const { texto, escolhas } = ask(context, cart, tipo, now)
  const content = [...told, texto].join('\n\n')
  return {
    cart,
    question: { tipo },
    said: [escolhas.length === 0 ? textEffect(content) : choicesEffect(content, escolhas)],
  }
}
