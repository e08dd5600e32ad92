import type { Generated } from 'kysely'
import type { NullableTimestampColumn, RequiredTimestampColumn } from '../columns.ts'

export interface PushInscricoesTable {
  contaId: string
  id: string
  usuarioId: string
  sessao: Buffer
  marca: Buffer
  destino: string
  criadaEm: RequiredTimestampColumn
}

export interface PushPreferenciasTable {
  contaId: string
  usuarioId: string
  filaDosMeusSetores: Generated<boolean>
  minhasConversas: Generated<boolean>
  mencoes: Generated<boolean>
  botDesconectado: Generated<boolean>
  mostrarNome: Generated<boolean>
}

export interface PushAvisosTable {
  contaId: string
  usuarioId: string
  chave: string
  tipo: 'fila' | 'mensagem' | 'mencao' | 'botDesconectado' | 'teste'
  conversaId: string | null
  criadoEm: RequiredTimestampColumn
  proximaEm: NullableTimestampColumn
  tentativas: Generated<number>
  entregues: Generated<string[]>
  abertaEm: NullableTimestampColumn
}
