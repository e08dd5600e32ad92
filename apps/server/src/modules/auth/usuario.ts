import { sql } from 'kysely'
import { COMPONENTES } from '@balcao/contract/constants'
import type { Usuario } from '@balcao/contract/entities/usuario'
import { componentesPermitidosSchema } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import { demandSql, hasPasskeySql } from './second-factor/status.ts'

export interface UsuarioRow {
  readonly id: string
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly telefone: string
  readonly tipo: 'admin' | 'usuario' | 'operador'
  readonly status: 'pendente' | 'ativo' | 'inativo'
  readonly dataCriacao: Date
  readonly empresa: string
  readonly plano: 'gratuito' | 'doacao'
  readonly limiteMensagensDia: number
  readonly componentesPermitidos: unknown
  /** Setor ids of an operador. Empty means all setores. */
  readonly setores: readonly string[]
}

/** Maps to the contract's `Usuario`. An operador has no component except `atendimentoHumano`. */
export function toUsuario(row: UsuarioRow): Usuario {
  const componentes = componentesPermitidosSchema.parse(row.componentesPermitidos)
  if (row.tipo === 'operador') {
    for (const componente of COMPONENTES) if (componente !== 'atendimentoHumano') componentes[componente] = false
  }
  return {
    id: row.id,
    contaId: row.contaId,
    nome: row.nome,
    email: row.email,
    telefone: row.telefone,
    empresa: row.empresa,
    tipo: row.tipo,
    plano: row.plano,
    status: row.status,
    ativo: row.status === 'ativo',
    dataCriacao: row.dataCriacao.toISOString(),
    limiteMensagensDia: row.limiteMensagensDia,
    componentesPermitidos: componentes,
    ...(row.tipo === 'operador' ? { setores: [...row.setores] } : {}),
  }
}

type UsuarioKey = { readonly email: string } | { readonly id: string }

/** A usuario with password and second factors. Passkeys and recovery codes have own tables. */
export interface Identity extends UsuarioRow {
  readonly senhaHash: string | null
  /** Sealed. */
  readonly totpSegredo: string | null
  readonly totpPendente: string | null
  readonly temPasskey: boolean
  readonly exigeFator: boolean
}

export function hasSecondFactor({ totpSegredo, temPasskey }: Pick<Identity, 'totpSegredo' | 'temPasskey'>): boolean {
  return totpSegredo !== null || temPasskey
}

/** Finds a usuario that is not deleted. `lock` locks the row until the transaction ends. */
export async function findUsuario(
  tx: Tx,
  key: UsuarioKey,
  { lock = false }: { readonly lock?: boolean } = {},
): Promise<Identity | null> {
  const usuario = await tx.kysely
    .selectFrom('usuarios')
    .innerJoin('contas', 'contas.id', 'usuarios.contaId')
    .select([
      'usuarios.id',
      'usuarios.contaId',
      'usuarios.nome',
      'usuarios.email',
      'usuarios.telefone',
      'usuarios.tipo',
      'usuarios.status',
      'usuarios.dataCriacao',
      'usuarios.senhaHash',
      'usuarios.setores',
      'usuarios.totpSegredo',
      'usuarios.totpPendente',
      sql<boolean>`${sql.raw(hasPasskeySql('usuarios'))}`.as('temPasskey'),
      sql<boolean>`${sql.raw(demandSql('usuarios', 'contas'))}`.as('exigeFator'),
      'contas.empresa',
      'contas.plano',
      'contas.limiteMensagensDia',
      'contas.componentesPermitidos',
    ])
    .where('usuarios.excluidoEm', 'is', null)
    .where('contas.excluidaEm', 'is', null)
    .$if('email' in key, (query) => query.where('usuarios.email', '=', 'email' in key ? key.email : ''))
    .$if('id' in key, (query) => query.where('usuarios.id', '=', 'id' in key ? key.id : ''))
    .$if(lock, (query) => query.forNoKeyUpdate('usuarios'))
    .executeTakeFirst()
  return usuario ?? null
}

/** A conta is active while its owner is active and it does not move to another installation. */
export async function isContaActive(tx: Tx, contaId: string): Promise<boolean> {
  const dono = await tx.kysely
    .selectFrom('usuarios')
    .innerJoin('contas', 'contas.id', 'usuarios.contaId')
    .select('usuarios.id')
    .where('contaId', '=', contaId)
    .where('tipo', '<>', 'operador')
    .where('status', '=', 'ativo')
    .where('excluidoEm', 'is', null)
    .where('contas.mudanca', 'is', null)
    .executeTakeFirst()
  return dono !== undefined
}
