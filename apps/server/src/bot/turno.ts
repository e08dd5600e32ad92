import type { BotEvent } from '@balcao/engine/event'
import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import type { InboundMessage } from '#ports/messaging.ts'

interface Base {
  /** Turns of one key run in order. The key is the address or the id of the contato. */
  readonly chave: string
  readonly contaId: string
  /** Called once, after the commit or when there is nothing to write. */
  readonly resolver: () => void
  readonly rejeitar: (erro: unknown) => void
}

export interface TurnoMensagem extends Base {
  readonly tipo: 'mensagem'
  readonly canal: string
  readonly canonico: string
  readonly mensagem: InboundMessage
}

/** Event fields known only inside the transaction: time, contato and protocol number. */
export type BaseEvento = Pick<BotEvent, 'agora' | 'contato' | 'protocolo'>

export interface Respondida {
  readonly perguntaId: string
  readonly pedido: AiRequest
  readonly resposta: AiAnswer
}

export interface TurnoEvento extends Base {
  readonly tipo: 'evento'
  readonly contatoId: string
  readonly evento: (base: BaseEvento) => BotEvent
  /** The pending question that this event answers. Its row is deleted and its cost is stored. */
  readonly respondida?: Respondida
}

export type TurnoBot = TurnoMensagem | TurnoEvento
