import type { Updateable } from 'kysely'
import * as z from 'zod/mini'
import type { UsuariosTable } from '#db/tables/contas.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'

interface NewUsuarioRow {
  readonly id: string
  readonly contaId: string
  readonly nome: string
  readonly email: string
  readonly telefone?: string
  readonly tipo: 'admin' | 'usuario' | 'operador'
  readonly status: 'pendente' | 'ativo'
  /** Without a hash, login is impossible until a password is chosen. */
  readonly senhaHash: string | null
  readonly setores?: readonly string[]
  readonly em: Date
}

/** Throws `emailJaCadastrado`. The unique index decides between two concurrent inserts of one address. */
export async function insertUsuario(tx: Tx, input: NewUsuarioRow): Promise<void> {
  const { id, contaId, nome, email, telefone = '', tipo, status, senhaHash, setores = [], em } = input
  const { rowCount } = await tx.query(
    `insert into usuarios (id, conta_id, nome, email, telefone, tipo, status, senha_hash, setores, data_criacao)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict (email) where excluido_em is null do nothing`,
    [id, contaId, nome, email, telefone, tipo, status, senhaHash, JSON.stringify(setores), em],
  )
  if (rowCount !== 1) throw new AppError('emailJaCadastrado')
}

/** Fails with a violation of `usuarios_email` if the address is taken. */
export async function updateUsuario(tx: Tx, id: string, fields: Updateable<UsuariosTable>): Promise<void> {
  await tx.kysely.updateTable('usuarios').set(fields).where('id', '=', id).execute()
}

/** Like `updateUsuario`, for an operador of this conta. */
export async function updateOperador(
  tx: Tx,
  contaId: string,
  id: string,
  fields: Updateable<UsuariosTable>,
): Promise<void> {
  await tx.kysely.updateTable('usuarios').set(fields).where('contaId', '=', contaId).where('id', '=', id).execute()
}

/** Records the code of an authenticator app as used. False: it, or a later one, was used before. */
export async function spendTotpStep(tx: Tx, id: string, step: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    'update usuarios set totp_passo = $2 where id = $1 and (totp_passo is null or totp_passo < $2)',
    [id, step],
  )
  return rowCount === 1
}

const REMOVED_BATCH = 1_000

/**
 * Removes name, e-mail and phone of one batch of operadores who were removed before the limit. Conversas keep the
 * name as text. Returns the number of rows.
 */
export async function clearRemovedOperadores(tx: Tx, contaId: string, { em }: { readonly em: Date }): Promise<number> {
  const { rowCount } = await tx.query(
    `update usuarios set nome = 'Pessoa removida', email = '', telefone = '' where id = any (array(
       select id from usuarios where conta_id = $1 and tipo = 'operador' and excluido_em < $2 and email <> ''
         and not volta_com_conta limit ${REMOVED_BATCH}))`,
    [contaId, em],
  )
  return rowCount ?? 0
}

const idRowSchema = z.object({ id: z.string() })

/** Replaces these setores of operadores by another one. Returns the ids of the changed operadores. */
export async function replaceSetores(
  tx: Tx,
  contaId: string,
  setores: readonly string[],
  target: string,
): Promise<string[]> {
  if (setores.length === 0) return []
  const changed = await tx.rows(
    idRowSchema,
    `update usuarios u set setores = (
       select jsonb_agg(distinct case when s = any ($2::text[]) then $3 else s end) from jsonb_array_elements_text(u.setores) s)
      where u.conta_id = $1 and u.tipo = 'operador' and u.excluido_em is null and u.setores ?| $2::text[] returning u.id`,
    [contaId, setores, target],
  )
  return changed.map(({ id }) => id)
}

/** Names of usuarios of the conta, including deleted ones. */
export async function listUsuarioNames(
  tx: Tx,
  contaId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.rows(
    z.object({ id: z.string(), nome: z.string() }),
    'select id, nome from usuarios where conta_id = $1 and id = any ($2::uuid[])',
    [contaId, ids],
  )
  return new Map(rows.map(({ id, nome }) => [id, nome]))
}
