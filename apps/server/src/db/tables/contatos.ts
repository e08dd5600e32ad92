import type { Generated } from 'kysely'
import type { RequiredTimestampColumn, TimestampColumn } from '../columns.ts'

interface EtiquetasTable {
  contaId: string
  id: string
  nome: string
  /** Folded name, unique in the conta. */
  chave: string
  cor: string
  criadaEm: TimestampColumn
}

interface ContatosEtiquetasTable {
  contaId: string
  etiquetaId: string
  contatoId: string
}

interface NotasTable {
  contaId: string
  id: string
  conversaId: string
  texto: string
  autorId: string
  autor: string
  mencoes: Generated<string[]>
  criadaEm: RequiredTimestampColumn
}

export interface ContatosTables {
  etiquetas: EtiquetasTable
  contatosEtiquetas: ContatosEtiquetasTable
  notas: NotasTable
}
