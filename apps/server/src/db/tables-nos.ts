import type { Generated } from 'kysely'
import type { TimestampColumn, NullableTimestampColumn, RequiredTimestampColumn } from './columns.ts'

/** Tables of the installation: nodes, packets between them and backups. */

export interface NosTable {
  id: string
  nome: string
  versao: string
  node: string
  iniciadoEm: RequiredTimestampColumn
  vistoEm: RequiredTimestampColumn
  memoria: number
  cpu: number
  pasta: Generated<string>
  maquina: Generated<string>
  expira: TimestampColumn
  mortoEm: NullableTimestampColumn
  recado: Generated<number>
  saindo: Generated<boolean>
  sessoes: Generated<number>
  arquivos: Generated<boolean>
}

export interface TarefasTable {
  nome: string
  no: string
  periodoS: number
  comecouEm: TimestampColumn
  feitaEm: NullableTimestampColumn
  erro: string | null
}

export interface TotaisTable {
  unica: Generated<boolean>
  ate: Generated<string>
  enviadas: Generated<number>
  recebidas: Generated<number>
  perguntas: Generated<number>
  falhas: Generated<number>
  tokens: Generated<number>
  arquivos: Generated<number>
  arquivosBytes: Generated<number>
}

export interface RecadosTable {
  id: string
  corpo: string
  criadoEm: TimestampColumn
}

export interface CopiasSegurancaTable {
  id: Generated<number>
  em: TimestampColumn
  linhas: number
  tabelas: number
  bytes: number
  cifrada: boolean
}

export interface RestauracoesTable {
  id: Generated<number>
  copiaDe: RequiredTimestampColumn
  importadaEm: TimestampColumn
  decididaEm: NullableTimestampColumn
  decisao: 'descartar' | 'enviar' | null
}
