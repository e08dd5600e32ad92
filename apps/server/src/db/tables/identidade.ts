import type { Generated } from 'kysely'
import type { NullableTimestampColumn, RequiredTimestampColumn } from '../columns.ts'

export interface PasskeysTable {
  id: string
  usuarioId: string
  credencial: Buffer
  chave: Buffer
  contador: number
  transportes: Generated<string[]>
  rpId: string
  nome: string
  criadaEm: RequiredTimestampColumn
  ultimoUso: NullableTimestampColumn
}

export interface CodigosRecuperacaoTable {
  usuarioId: string
  seletor: string
  hash: string
  usadoEm: NullableTimestampColumn
}

export interface DesafiosTable {
  tokenHash: Buffer
  uso: 'entrar' | 'passkey' | 'cadastro'
  usuarioId: string | null
  sorteio: string | null
  sessao: Buffer | null
  lembrar: Generated<boolean>
  tentativas: Generated<number>
  expiraEm: RequiredTimestampColumn
}
