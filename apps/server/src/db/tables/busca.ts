import type { Generated } from 'kysely'
import type { NullableTimestampColumn, TextListColumn } from '../columns.ts'

export interface BuscaMensagensTable {
  contaId: string
  mensagemId: string
  conversaId: string
  vetor: string
}

export interface BuscaNotasTable {
  contaId: string
  notaId: string
  vetor: string
}

export interface BuscaContasTable {
  contaId: string
  ate: string
  desde: string | null
  completaEm: NullableTimestampColumn
  rodada: Generated<number>
  palavras: Generated<number>
  notasRodada: number | null
  lidaEm: NullableTimestampColumn
}

export interface BuscaPalavrasTable {
  contaId: string
  palavra: string
  vezes: Generated<number>
  rodada: number
  trios: TextListColumn
}
