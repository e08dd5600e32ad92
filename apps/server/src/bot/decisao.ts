import type { BotEffect } from '@balcao/engine/effect'
import type { Midia } from '@balcao/contract/entities/mensagem'
import type { ConversaAtual, ContatoTravado } from './hot-read.ts'
import type { Extras } from './extras.ts'
import type { TurnoBot } from './turno.ts'

/** A row of `mensagens` to be. */
export interface MensagemNova {
  readonly id: string
  readonly direcao: 'entrada' | 'saida'
  readonly origem: 'cliente' | 'bot' | 'ia' | 'telefone'
  readonly texto: string
  readonly midia: Midia | null
  readonly idExterno: string | null
  /** `entregue` for what came in; `enviada` or `limite` for what goes out. */
  readonly estado: 'entregue' | 'enviada' | 'limite'
  /** What it quotes, or the call that it stands for: nothing else is known of what has just come. */
  readonly extras?: Extras
}

export interface ConversaNova {
  readonly id: string
  readonly status: ConversaAtual['status']
}

/** What changes in the conversation's row, which moved with it; null fields stay. */
export interface MudancaConversa {
  readonly id: string
  readonly status: ConversaAtual['status'] | null
  readonly setor: string | null
  readonly protocolo: string | null
  readonly motivoFim: string | null
  /** Messages of the customer that nobody has answered, more than before. */
  readonly naoLidas: number
  /** Somebody answered them: none is left. */
  readonly lidas: boolean
}

/** Everything one turn writes, decided before anything is written. */
export interface Decisao {
  readonly turno: TurnoBot
  readonly contaId: string
  readonly canal: string
  readonly contato: ContatoTravado
  readonly nome: string
  readonly endereco: string
  readonly agora: Date
  /** The account's local day, `AAAA-MM-DD`. */
  readonly dia: string
  /** Never null when there are messages. */
  readonly conversaId: string | null
  readonly conversaNova: ConversaNova | null
  readonly mudancas: readonly MudancaConversa[]
  /** The conversation is with people, or was just handed to them. */
  readonly humana: boolean
  /** A simulated conversation: nothing leaves and nothing is counted. */
  readonly teste: boolean
  /** JSON of the engine's state; null leaves the stored one. */
  readonly estado: string | null
  readonly etapa: string | null
  readonly mensagens: readonly MensagemNova[]
  readonly efeitos: readonly BotEffect[]
  readonly digitando: boolean
  /** Which privacy notice the customer may have been shown. */
  readonly avisoVersao: number
}

/** Messages of a decision that have to leave. */
export function aEnviar(decisao: Decisao): readonly MensagemNova[] {
  return decisao.teste ? [] : decisao.mensagens.filter(precisaSair)
}

function precisaSair({ direcao, origem, estado }: MensagemNova): boolean {
  return direcao === 'saida' && origem !== 'telefone' && estado === 'enviada'
}
