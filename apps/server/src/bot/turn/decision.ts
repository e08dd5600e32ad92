import type { BotEffect } from '@balcao/engine/effect'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { CurrentConversa, LockedContato } from './read.ts'
import type { MensagemMarks } from '#modules/conversas/index.ts'
import type { Turn } from './types.ts'

export interface NewMensagem {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly idExterno: string | null
  readonly estado: 'entregue' | 'enviada' | 'limite'
  readonly extras?: MensagemMarks
}

export interface NewConversa {
  readonly id: string
  readonly status: CurrentConversa['status']
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
}

export interface Decision {
  readonly turn: Turn
  readonly contaId: string
  readonly channel: string
  readonly contato: LockedContato
  readonly name: string
  readonly address: string
  readonly now: Date
  readonly day: string
  /** Never null when there are messages. */
  readonly conversaId: string | null
  readonly newConversa: NewConversa | null
  readonly changes: readonly ConversaChange[]
  readonly attended: boolean
  /** A test conversa: messages are neither sent nor counted. */
  readonly teste: boolean
  /** Engine state as JSON. Null keeps the stored state. */
  readonly state: string | null
  readonly etapa: string | null
  readonly mensagens: readonly NewMensagem[]
  readonly effects: readonly BotEffect[]
  readonly typing: boolean
  readonly avisoVersao: number
}

export function mensagensToSend(decision: Decision): readonly NewMensagem[] {
  return decision.teste ? [] : decision.mensagens.filter(mustBeSent)
}

function mustBeSent({ direcao, origem, estado }: NewMensagem): boolean {
  return direcao === 'saida' && origem !== 'telefone' && estado === 'enviada'
}
