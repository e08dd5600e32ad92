import type { Escolha } from '@balcao/contract/entities/mensagem'

/**
 * Why a text answers no question. `semEntender`: the bot did not understand. `naoEntendi`: the AI did not answer.
 * `retida`: the answer of the AI was withheld, because the shop did not say it.
 */
export type GapOrigin = 'semEntender' | 'naoEntendi' | 'retida'

export type ConsentimentoAct = 'aviso' | 'parada' | 'retomada'

/**
 * Work that a step asks of the runtime, in order. Records are stored in one transaction with the state; messages
 * are sent after the commit.
 */
export type BotEffect =
  | {
      readonly tipo: 'enviarTexto'
      readonly texto: string
      readonly origem: 'bot' | 'ia'
      /** The answers that the text offers. It names them too, for lines without buttons. */
      readonly escolhas?: readonly Escolha[]
      /** Never joined with another message: the customer copies the whole of it. */
      readonly sozinho?: true
      /** The text says that this order was made. */
      readonly pedidoId?: string
      /** Id of the order that the text pays: it is a code of PIX. Only for lines that send such orders. */
      readonly cobranca?: string
      /** The text is sent in the place of an answer. Stored with the message. */
      readonly lacuna?: GapOrigin
    }
  | { readonly tipo: 'enviarImagem'; readonly imagemUrl: string; readonly legenda: string }
  /**
   * Ask the AI after `esperaMs` without a new message. A new question replaces the waiting one. The runtime joins
   * the messages since the first replaced question.
   */
  | { readonly tipo: 'perguntarIa'; readonly perguntaId: string; readonly esperaMs: number }
  /**
   * Put the conversa in the queue for people. If the event had no `protocolo`, allocate one and run the same step
   * again with it.
   */
  | { readonly tipo: 'abrirConversaHumana'; readonly setor: string }
  /**
   * Make an order of the cart in the state. If the event had no `pedido`, make it and run the same step again with what
   * became of it.
   */
  | { readonly tipo: 'criarPedido' }
  /**
   * Look for the cart of the menu on the web with one of these codes, make it this customer's, and run the same step
   * again with it as `carrinho`.
   */
  | { readonly tipo: 'buscarCarrinho'; readonly codigos: readonly string[] }
  | { readonly tipo: 'finalizarConversa' }
  | { readonly tipo: 'registrarAvaliacao'; readonly nota: number }
  /** Proof for the LGPD: notice given, automatic messages stopped, or stop withdrawn. */
  | { readonly tipo: 'registrarConsentimento'; readonly ato: ConsentimentoAct }
  /** Line of the owner's log, in Portuguese. */
  | { readonly tipo: 'registrarLog'; readonly nivel: 'info' | 'warning' | 'error'; readonly mensagem: string }

/** Effect that sends a text. Placeholders must be filled already. */
export function textEffect(content: string): BotEffect {
  return { tipo: 'enviarTexto', texto: content, origem: 'bot' }
}

/** The same text, which says that this order was made. */
export function withPedido(effect: BotEffect, pedidoId: string): BotEffect {
  return effect.tipo === 'enviarTexto' ? { ...effect, pedidoId } : effect
}

/** The same effects, of which the first text is sent in the place of an answer. */
export function withGap(effects: readonly BotEffect[], lacuna: GapOrigin): BotEffect[] {
  const first = effects.findIndex(({ tipo }) => tipo === 'enviarTexto')
  return effects.map((effect, index) =>
    index === first && effect.tipo === 'enviarTexto' ? { ...effect, lacuna } : effect,
  )
}

/** Text that offers answers, such as a menu. */
export function choicesEffect(content: string, escolhas: readonly Escolha[]): BotEffect {
  return { tipo: 'enviarTexto', texto: content, origem: 'bot', escolhas }
}

export function warningEffect(message: string): BotEffect {
  return { tipo: 'registrarLog', nivel: 'warning', mensagem: message }
}

/** True if the effect sends something to the customer. */
export function reachesCustomer(effect: BotEffect): boolean {
  return effect.tipo === 'enviarTexto' || effect.tipo === 'enviarImagem'
}
