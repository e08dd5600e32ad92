import type { BotEffect } from '@balcao/engine/effect'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { ConversaAtual, ContatoTravado } from './hot-read.ts'
import type { Extras } from './extras.ts'
import type { TurnoBot } from './turno.ts'

export interface MensagemNova {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly idExterno: string | null
  readonly estado: 'entregue' | 'enviada' | 'limite'
  readonly extras?: Extras
}

export interface ConversaNova {
  readonly id: string
  readonly status: ConversaAtual['status']
}

/** Update of a conversa. Null fields keep their value. */
export interface MudancaConversa {
  readonly id: string
  readonly status: ConversaAtual['status'] | null
  readonly setor: string | null
  readonly protocolo: string | null
  readonly motivoFim: string | null
  readonly naoLidas: number
  /** Resets the unread count, because the owner answered from the phone. */
  readonly lidas: boolean
}

export interface Decisao {
  readonly turno: TurnoBot
  readonly contaId: string
  readonly canal: string
  readonly contato: ContatoTravado
  readonly nome: string
  readonly endereco: string
  readonly agora: Date
  readonly dia: string
  /** Never null when there are messages. */
  readonly conversaId: string | null
  readonly conversaNova: ConversaNova | null
  readonly mudancas: readonly MudancaConversa[]
  readonly humana: boolean
  /** A test conversa: messages are neither sent nor counted. */
  readonly teste: boolean
  /** Engine state as JSON. Null keeps the stored state. */
  readonly estado: string | null
  readonly etapa: string | null
  readonly mensagens: readonly MensagemNova[]
  readonly efeitos: readonly BotEffect[]
  readonly digitando: boolean
  readonly avisoVersao: number
}

export function aEnviar(decisao: Decisao): readonly MensagemNova[] {
  return decisao.teste ? [] : decisao.mensagens.filter(precisaSair)
}

function precisaSair({ direcao, origem, estado }: MensagemNova): boolean {
  return direcao === 'saida' && origem !== 'telefone' && estado === 'enviada'
}
