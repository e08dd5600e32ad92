import type { QueuePlace } from './atendimento/waiting-estimate.ts'
import type { Cart } from './pedidos/cart.ts'

/** Events of a customer's conversation. Time and ids come with the event; instants are in ms since 1970. */

export interface EventContato {
  readonly nome: string
  readonly telefone: string
}

export type MidiaKind = 'imagem' | 'audio' | 'video' | 'documento' | 'figurinha' | 'localizacao' | 'contato' | 'outro'

interface EventBase {
  readonly agora: number
  readonly contato: EventContato
  /** Number for a conversa with people, used if this step opens one. See `abrirConversaHumana`. */
  readonly protocolo?: string
  /** The customer's place in the queue that this step opens. Absent: its placeholders stay as they are. */
  readonly fila?: QueuePlace
  /** The menu on the web for this customer. Absent: no text names it, or the shop has none. */
  readonly link?: string
}

/** The fate of an order that the customer confirmed. */
export type OrderOutcome =
  | {
      readonly tipo: 'feito'
      readonly pedidoId: string
      readonly numero: number
      readonly totalCentavos: number
      /** The code to copy. Null: another way of payment, or the shop has no key. */
      readonly pix: string | null
    }
  /** Nothing was made. The items of the cart in their order, with what can be sold now. */
  | {
      readonly tipo: 'mudou'
      readonly itens: readonly { readonly precoCentavos: number; readonly quantidade: number }[]
    }
  /** Nothing was made: the coupon does not count any more. */
  | { readonly tipo: 'cupomRecusado' }

/** A message of the customer. `texto` is empty for media without a caption. */
export interface MensagemCliente extends EventBase {
  readonly tipo: 'mensagemCliente'
  /** Id of the message, and of the question to the AI if it becomes one. */
  readonly id: string
  readonly texto: string
  readonly midia?: MidiaKind
  /** Of the order that this message confirms. See `criarPedido`. */
  readonly pedido?: OrderOutcome
  /** The cart of the code in `texto`. Null: no such cart. See `buscarCarrinho`. */
  readonly carrinho?: Cart | null
  /** Instant of sending. More than 10 minutes before `agora` means an old message from a backlog. */
  readonly enviadaEm: number
}

export interface MensagemDoTelefone extends EventBase {
  readonly tipo: 'mensagemDoTelefone'
  /**
   * Instant of writing, which starts the bot's silence. Differs from `agora` for messages of a backlog. Absent:
   * now.
   */
  readonly escritaEm?: number
}

export interface LigacaoPerdida extends EventBase {
  readonly tipo: 'ligacaoPerdida'
  readonly ligouEm: number
}

export type IaResult =
  | { readonly tipo: 'texto'; readonly texto: string }
  | { readonly tipo: 'transferir'; readonly setor: string }
  | { readonly tipo: 'falha'; readonly motivo: string }
  /** The answer had statements that the shop never made. `motivo` names their kinds in Portuguese. */
  | { readonly tipo: 'retida'; readonly motivo: string }

export interface RespostaIaEvent extends EventBase {
  readonly tipo: 'respostaIa'
  readonly perguntaId: string
  readonly resultado: IaResult
}

/** An action of an operator in the panel. */
export interface AcaoAtendente extends EventBase {
  readonly tipo: 'atendenteAssumiu' | 'devolvidaAoBot'
}

/** An operator finished the conversa. With `semAvaliacao` the bot says goodbye and asks for no rating. */
export interface AtendenteFinalizou extends EventBase {
  readonly tipo: 'atendenteFinalizou'
  readonly semAvaliacao?: true
}

/** An operator finished the conversa and the customer receives nothing. */
export interface AtendenteEncerrou extends EventBase {
  readonly tipo: 'atendenteEncerrou'
}

export interface AtendenteTransferiu extends EventBase {
  readonly tipo: 'atendenteTransferiu'
  readonly setor: string
}

/** A notice that the server sends in the bot's name, such as that no person is online. Changes no state. */
export interface AvisoAutomatico extends EventBase {
  readonly tipo: 'avisoAutomatico'
  readonly texto: string
  /** The code to copy, sent after the text with its picture. */
  readonly pix?: string
  /** The notice says that this order was made. */
  readonly pedidoId?: string
}

/** The customer sent a cart from the menu on the web, over a link of this chat. */
export interface CarrinhoDaPagina extends EventBase {
  readonly tipo: 'carrinhoDaPagina'
  readonly carrinho: Cart
}

/** The customer may have left a cart. */
export interface LembrarCarrinho extends EventBase {
  readonly tipo: 'lembrarCarrinho'
}

/** The customer did not answer: the conversa with people ends without a rating. */
export interface SilencioEncerrou extends EventBase {
  readonly tipo: 'silencioEncerrou'
}

/** A test of the rating: only the question, without the goodbye. */
export interface AvaliacaoSimulada extends EventBase {
  readonly tipo: 'avaliacaoSimulada'
}

export type BotEvent =
  | MensagemCliente
  | MensagemDoTelefone
  | LigacaoPerdida
  | RespostaIaEvent
  | AcaoAtendente
  | AtendenteFinalizou
  | AtendenteEncerrou
  | AtendenteTransferiu
  | AvaliacaoSimulada
  | AvisoAutomatico
  | CarrinhoDaPagina
  | LembrarCarrinho
  | SilencioEncerrou
