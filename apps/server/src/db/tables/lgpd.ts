import type { Generated } from 'kysely'
import type { TimestampColumn, RequiredTimestampColumn } from '../columns.ts'

export interface PrivacidadeTable {
  contaId: string
  retencaoDias: Generated<number>
  guardaLegal: Generated<boolean>
  avisoAtivo: Generated<boolean>
  avisoVersao: Generated<number>
}

export interface AvisosPrivacidadeTable {
  contaId: string
  versao: number
  texto: string
  criadoEm: TimestampColumn
}

export interface ConsentimentosTable {
  contaId: string
  id: string
  contatoId: string
  ato: 'aviso' | 'parada' | 'retomada'
  avisoVersao: number | null
  canal: string
  criadoEm: RequiredTimestampColumn
}

export interface ApagadosTable {
  contaId: string
  marca: string
  apagadoEm: RequiredTimestampColumn
}
