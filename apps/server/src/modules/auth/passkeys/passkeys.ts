import type { Passkey } from '@balcao/contract/entities/identidade'
import type { Tx } from '#db/transaction.ts'
import type { StoredPasskey } from './webauthn.ts'

export const PASSKEYS_MAX = 20

interface PasskeyRow extends StoredPasskey {
  readonly id: string
  readonly usuarioId: string
}

/** Finds a passkey of this panel by the id that the browser sent. */
export async function findPasskey(tx: Tx, rpId: string, credencial: string): Promise<PasskeyRow | null> {
  const row = await tx.kysely
    .selectFrom('passkeys')
    .select(['id', 'usuarioId', 'chave', 'contador'])
    .where('credencial', '=', Buffer.from(credencial, 'base64url'))
    .where('rpId', '=', rpId)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, chave: new Uint8Array(row.chave), credencial }
}

export async function listPasskeys(
  tx: Tx,
  usuarioId: string,
): Promise<readonly (Passkey & { readonly credencial: string; readonly transportes: readonly string[] })[]> {
  const rows = await tx.kysely
    .selectFrom('passkeys')
    .select(['id', 'nome', 'criadaEm', 'ultimoUso', 'credencial', 'transportes'])
    .where('usuarioId', '=', usuarioId)
    .orderBy('criadaEm', 'desc')
    .execute()
  return rows.map(({ id, nome, criadaEm, ultimoUso, credencial, transportes }) => ({
    ...{ id, nome, transportes },
    criadaEm: criadaEm.toISOString(),
    ultimoUso: ultimoUso?.toISOString() ?? null,
    credencial: credencial.toString('base64url'),
  }))
}

/** Returns false if the passkey is known already. */
export async function insertPasskey(
  tx: Tx,
  {
    credencial,
    chave,
    contador,
    ...row
  }: StoredPasskey & {
    readonly id: string
    readonly usuarioId: string
    readonly transportes: readonly string[]
    readonly rpId: string
    readonly nome: string
    readonly criadaEm: Date
  },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx.kysely
    .insertInto('passkeys')
    .values({
      ...row,
      transportes: [...row.transportes],
      contador,
      credencial: Buffer.from(credencial, 'base64url'),
      chave: Buffer.from(chave),
    })
    .onConflict((conflict) => conflict.column('credencial').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Stores the counter of a use. False: a parallel use stored the same or a higher one. */
export async function recordPasskeyUse(
  tx: Tx,
  { id, contador }: { readonly id: string; readonly contador: number },
  at: Date,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update passkeys set contador = $2, ultimo_uso = $3
      where id = $1 and (contador < $2 or (contador = 0 and $2::bigint = 0))`,
    [id, contador, at],
  )
  return rowCount === 1
}

/** Returns the name, or null if the usuario has no such passkey. */
export async function deletePasskey(tx: Tx, usuarioId: string, id: string): Promise<string | null> {
  const row = await tx.kysely
    .deleteFrom('passkeys')
    .where('usuarioId', '=', usuarioId)
    .where('id', '=', id)
    .returning('nome')
    .executeTakeFirst()
  return row?.nome ?? null
}

export async function deletePasskeys(tx: Tx, usuarioId: string): Promise<void> {
  await tx.kysely.deleteFrom('passkeys').where('usuarioId', '=', usuarioId).execute()
}
