import { connectorOf } from '@balcao/contract/connectors'
import { storedLine } from '#db/statement/line.ts'
import type { InboundMessage } from '@balcao/connector/port'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { BotEffect, GapOrigin } from '@balcao/engine/effect'
import type { EndedConversa } from '#modules/leitores/index.ts'
import type { MensagemMarks } from '#modules/mensagens/index.ts'
import type { AccountContext, GuardedAnswer } from '#modules/ia/index.ts'
import type { AiRequest } from '#ports/ai.ts'
import type { BuildEvent } from '#ports/bots.ts'
import type { Announcements } from '#modules/enderecos/index.ts'
import type { BotState, Consent } from '@balcao/engine/state'

interface TurnBase {
  /** Turns of one key run in order. The key is the address or the id of the contato. */
  readonly key: string
  readonly contaId: string
  readonly linhaId: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

export interface MessageTurn extends TurnBase {
  readonly tipo: 'mensagem'
  readonly channel: string
  readonly canonical: string
  readonly message: InboundMessage
  readonly marks: string
  /** Monotonic, in ms. */
  readonly arrivedAt: number
}

export interface AnsweredQuestion {
  readonly perguntaId: string
  readonly request: AiRequest
  readonly answer: GuardedAnswer
  /** Cents of the month that the conta allowed for the AI. Null: no budget. */
  readonly orcamento: number | null
}

export interface EventTurn extends TurnBase {
  readonly tipo: 'evento'
  readonly contatoId: string
  readonly event: BuildEvent
  /** The pending question that this event answers. Its row is deleted and its cost is stored. */
  readonly answered?: AnsweredQuestion
}

export type Turn = MessageTurn | EventTurn

export interface LocatedTurn {
  readonly turn: Turn
  readonly context: AccountContext
  readonly contatoId: string
  /** The contato if this transaction created it. Null: it must be locked and read. */
  readonly created: LockedContato | null
}

export interface LockedContato {
  readonly id: string
  readonly estado: unknown
  readonly nome: string
  readonly telefone: string
  readonly endereco: string
  readonly nomeUsuario: string
  /** People wrote the name, so the name of the service does not replace it. */
  readonly nomeDoPainel: boolean
  readonly trocas: Announcements
  readonly conversaId: string | null
  readonly conversa: CurrentConversa | null
  /** The greatest id of a message of this contato. The next id is greater, so the chat keeps its order. */
  readonly lastId: string | null
  /** The last message promised to this contato. The next one leaves after it. */
  readonly lastSent: string | null
  readonly contextVersion: number
  /** Read for the dialogue of a further line only: on the first line it is part of `estado`. */
  readonly consent: Consent
  /** The service delivered this message before. It may be deleted since. */
  readonly repeated: boolean
}

export interface CurrentConversa {
  readonly id: string
  readonly status: 'bot' | 'aguardando' | 'em_atendimento' | 'finalizada'
  readonly setor: string | null
  readonly protocolo: string | null
  readonly operadorId: string | null
  readonly iniciadaEm: Date
  readonly ultimaEm: Date
  readonly teste: boolean
  readonly agenteMeta: boolean
}

export interface NewMensagem {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly idExterno: string | null
  readonly estado: 'entregue' | 'enviada' | 'limite'
  readonly extras?: MensagemMarks
  /** Sent in the place of an answer. */
  readonly lacuna: GapOrigin | null
}

/** Update of a conversa. Null fields keep their value. */
export interface ConversaChange {
  readonly id: string
  readonly status: CurrentConversa['status'] | null
  readonly setor: string | null
  readonly protocolo: string | null
  readonly motivoFim: string | null
  readonly naoLidas: number
  /** Resets the unread count, because the owner answered from the phone. */
  readonly lidas: boolean
  readonly agenteMeta: boolean | null
}

export interface Decision {
  readonly turn: Turn
  readonly contaId: string
  readonly linhaId: string
  readonly channel: string
  readonly contato: LockedContato
  readonly name: string
  readonly address: string
  readonly now: Date
  readonly day: string
  /** Never null when there are messages. */
  readonly conversaId: string | null
  readonly isNew: boolean
  readonly changes: readonly ConversaChange[]
  readonly attended: boolean
  /** A conversa of Meta's agent that expired with this turn. Browsers must remove it. */
  readonly endedAgent: Omit<EndedConversa, 'revisao'> | null
  /**
   * `nova`: not shown before. `entregue`: shown before, now waits for people. `atualizada`: shown before, another
   * party serves it. Null: no event.
   */
  readonly shown: 'nova' | 'entregue' | 'atualizada' | null
  /** A test conversa: messages are neither sent nor counted. */
  readonly teste: boolean
  /** Null keeps the stored state. */
  readonly state: BotState | null
  /** Notice and stop after the turn. Null keeps those of the contato. */
  readonly consent: Consent | null
  readonly etapa: string | null
  /** The customer asked for no automatic messages. False if the engine did not run. */
  readonly stopped: boolean
  readonly mensagens: readonly NewMensagem[]
  readonly effects: readonly BotEffect[]
  readonly typing: boolean
  readonly avisoVersao: number
  readonly endsBySilence: boolean
  /** The turn changed a cart, of which the customer is reminded at this instant. Null: no reminder. */
  readonly remindAt: Date | null
}

export function mensagensToSend(decision: Decision): readonly NewMensagem[] {
  return decision.teste ? [] : decision.mensagens.filter(mustBeSent)
}

function mustBeSent({ direcao, origem, estado }: NewMensagem): boolean {
  return direcao === 'saida' && origem !== 'telefone' && estado === 'enviada'
}

/** Of a turn on a further line. That of the first line is part of its state. */
export function changedConsent(decision: Decision): Consent | null {
  const { consent, contato } = decision
  if (consent === null || storedLine(decision) === null) return null
  const { consent: before } = contato
  const same = consent.paradoEm === before.paradoEm && consent.avisadoEm === before.avisadoEm
  return same ? null : consent
}

/** Start of the reply window: the time of the customer's message, not of a late webhook. */
export function customerWroteAt({ turn, now }: Decision): Date | null {
  if (turn.tipo !== 'mensagem' || turn.message.deMim === true) return null
  if ((connectorOf(turn.channel)?.replyWindowHours ?? null) === null) return null
  return new Date(Math.min(turn.message.enviadaEm.getTime(), now.getTime()))
}
