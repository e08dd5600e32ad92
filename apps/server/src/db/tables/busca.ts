import type { NullableTimestampColumn } from '../columns.ts'

export interface BuscaMensagensTable {
  contaId: string
  mensagemId: string
  conversaId: string
  vetor: string
}

export interface BuscaContasTable {
  contaId: string
  ate: string
  desde: string | null
  completaEm: NullableTimestampColumn
}
