import type { BotEvent } from '@balcao/engine/event'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import type { InboundMessage } from '#ports/messaging.ts'

interface Base {
  /** Turns of one key keep their order: the contact, as far as it is known when the turn is queued. */
  readonly chave: string
  readonly contaId: string
  /** Called once, after the commit or when nothing was or will be written. */
  readonly resolver: () => void
  readonly rejeitar: (erro: unknown) => void
}

/** A service brought a message. */
export interface TurnoMensagem extends Base {
  readonly tipo: 'mensagem'
  readonly canal: string
  readonly canonico: string
  readonly mensagem: InboundMessage
}

/** What only the transaction knows of an event: when it happens, to whom, and its protocol number if one was allocated. */
export type BaseEvento = Pick<BotEvent, 'agora' | 'contato' | 'protocolo'>

/** A question that came back from the AI. */
export interface Respondida {
  readonly perguntaId: string
  readonly pedido: AiRequest
  readonly resposta: AiAnswer
}

/** Anything else that happens to a contact's conversation. */
export interface TurnoEvento extends Base {
  readonly tipo: 'evento'
  readonly contatoId: string
  readonly evento: (base: BaseEvento) => BotEvent
  /** The waiting question this event answers: its row goes away with it, and what it cost is written down. */
  readonly respondida?: Respondida
}

export type TurnoBot = TurnoMensagem | TurnoEvento
