import type { AiAnswer, AiRequest } from '#ports/ai.ts'
import type { BuildEvent } from '#ports/bots.ts'
import type { InboundMessage } from '@balcao/connector/port'

interface TurnBase {
  /** Turns of one key run in order. The key is the address or the id of the contato. */
  readonly key: string
  readonly contaId: string
  /** Called once, after the commit or when there is nothing to write. */
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface MessageTurn extends TurnBase {
  readonly tipo: 'mensagem'
  readonly channel: string
  readonly canonical: string
  readonly message: InboundMessage
}

export interface AnsweredQuestion {
  readonly perguntaId: string
  readonly request: AiRequest
  readonly answer: AiAnswer
}

export interface EventTurn extends TurnBase {
  readonly tipo: 'evento'
  readonly contatoId: string
  readonly event: BuildEvent
  /** The pending question that this event answers. Its row is deleted and its cost is stored. */
  readonly answered?: AnsweredQuestion
}

export type Turn = MessageTurn | EventTurn
