import { CODIGOS_RECUPERACAO } from '@balcao/contract/constants'
import { RECUPERACAO_ALFABETO } from '@balcao/contract/entities/identidade'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

/** Characters that find the row. The others, 40 random bits, are only in the hash. */
const SELECTOR_LENGTH = 4
const CODE_LENGTH = 12
const GROUP = /.{4}(?=.)/g

const selectorOf = (code: string): string => code.slice(0, SELECTOR_LENGTH)

interface RecoveryCodes {
  /** As the person keeps them. */
  readonly texts: readonly string[]
  readonly rows: readonly { readonly seletor: string; readonly hash: string }[]
}

/** Ten new codes with their hashes. Takes a quarter of a second. */
export async function createRecoveryCodes(
  { ids, passwords }: Pick<Deps, 'ids' | 'passwords'>,
  ip: string,
): Promise<RecoveryCodes> {
  const codes = new Map<string, string>()
  while (codes.size < CODIGOS_RECUPERACAO) {
    const bytes = Buffer.from(ids.token(), 'base64url').subarray(0, CODE_LENGTH)
    const code = [...bytes].map((byte) => RECUPERACAO_ALFABETO[byte % RECUPERACAO_ALFABETO.length]).join('')
    codes.set(selectorOf(code), code)
  }
  const rows: { seletor: string; hash: string }[] = []
  for (const [seletor, code] of codes) rows.push({ seletor, hash: await passwords.hash(code, ip) })
  return { texts: [...codes.values()].map((code) => code.replace(GROUP, '$&-')), rows }
}

/** The earlier codes end. */
export async function replaceRecoveryCodes(tx: Tx, usuarioId: string, { rows }: RecoveryCodes): Promise<void> {
  await tx.kysely.deleteFrom('codigosRecuperacao').where('usuarioId', '=', usuarioId).execute()
  await tx.kysely
    .insertInto('codigosRecuperacao')
    .values(rows.map((row) => ({ usuarioId, ...row })))
    .execute()
}

export async function deleteRecoveryCodes(tx: Tx, usuarioId: string): Promise<void> {
  await tx.kysely.deleteFrom('codigosRecuperacao').where('usuarioId', '=', usuarioId).execute()
}

/** The hash of the only unused code that this text may be. Null: none. */
export async function findRecoveryHash(tx: Tx, usuarioId: string, code: string): Promise<string | null> {
  const row = await tx.kysely
    .selectFrom('codigosRecuperacao')
    .select('hash')
    .where('usuarioId', '=', usuarioId)
    .where('seletor', '=', selectorOf(code))
    .where('usadoEm', 'is', null)
    .executeTakeFirst()
  return row?.hash ?? null
}

/** Uses the code up. False: another request used it. */
export async function useRecoveryCode(tx: Tx, usuarioId: string, hash: string, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx.kysely
    .updateTable('codigosRecuperacao')
    .set({ usadoEm: at })
    .where('usuarioId', '=', usuarioId)
    .where('hash', '=', hash)
    .where('usadoEm', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function countRecoveryCodes(tx: Tx, usuarioId: string): Promise<number> {
  const { quantos } = await tx.kysely
    .selectFrom('codigosRecuperacao')
    .select((eb) => eb.fn.countAll<number>().as('quantos'))
    .where('usuarioId', '=', usuarioId)
    .where('usadoEm', 'is', null)
    .executeTakeFirstOrThrow()
  return quantos
}
