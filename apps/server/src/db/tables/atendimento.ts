import type { Generated } from 'kysely'
import type { NullableTimestampColumn, RequiredTimestampColumn } from '../columns.ts'

/** Distribution of waiting conversas, timers and messages that are sent later. */

interface RegrasAtendimentoTable {
  contaId: string
  automatica: Generated<boolean>
  semNinguem: Generated<boolean>
  /** Null: silence ends no conversa. */
  avisoMinutos: number | null
  /** Null: no customer waits for the opening of the shop. */
  abreEm: Date | null
}

interface AtendentesTable {
  contaId: string
  usuarioId: string
  /** Null: the default, true for operadores. */
  disponivel: boolean | null
  mudouEm: NullableTimestampColumn
  /** When the person last got a conversa automatically. */
  recebeuEm: NullableTimestampColumn
}

interface PresencasTable {
  contaId: string
  usuarioId: string
  no: string
  entrouEm: RequiredTimestampColumn
  saiuEm: NullableTimestampColumn
}

interface SinaisTable {
  id: Generated<string>
  contaId: string
  /** Null: the queue of the conta changed. */
  contatoId: string | null
}

interface PrazosTable {
  contaId: string
  conversaId: string
  tipo: 'resposta' | 'silencio' | 'semNinguem'
  venceEm: RequiredTimestampColumn
  operadorId: string | null
  avisadoEm: NullableTimestampColumn
  tentativas: Generated<number>
}

interface PassagensTable {
  contaId: string
  conversaId: string
  operadorId: string
  em: RequiredTimestampColumn
}

interface AgendadasTable {
  contaId: string
  id: string
  conversaId: string
  texto: string
  enviarEm: RequiredTimestampColumn
  autorId: string
  autor: string
  cancelarSeResponder: boolean
  estado: 'marcada' | 'enviada' | 'cancelada' | 'falhou'
  motivo: string | null
  criadaEm: RequiredTimestampColumn
  tentativas: Generated<number>
  tentarEm: NullableTimestampColumn
}

export interface AtendimentoTables {
  regrasAtendimento: RegrasAtendimentoTable
  atendentes: AtendentesTable
  presencas: PresencasTable
  sinais: SinaisTable
  prazos: PrazosTable
  passagens: PassagensTable
  agendadas: AgendadasTable
}
