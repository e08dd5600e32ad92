import type { Generated } from 'kysely'
import type {
  NullableJsonColumn,
  NullableTimestampColumn,
  RequiredTimestampColumn,
  TimestampColumn,
} from '../columns.ts'

/** Tables of the installation: nodes, the bots that they have, packets between them and backups. */

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

export interface BotsTable {
  contaId: string
  desejado: Generated<boolean>
  conector: Generated<string>
  status: Generated<string>
  motivo: string | null
  qrCode: string | null
  qrExpiraEm: NullableTimestampColumn
  conectadoComo: string | null
  credenciais: NullableJsonColumn
  no: string | null
  epoca: Generated<number>
  parada: number | null
  leaseExpira: NullableTimestampColumn
  livreDesde: NullableTimestampColumn
  pasta: string | null
  desconectadoDesde: NullableTimestampColumn
  ultimoQuadro: NullableTimestampColumn
  atualizadoEm: TimestampColumn
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
