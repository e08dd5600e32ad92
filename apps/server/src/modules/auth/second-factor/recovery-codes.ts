import * as z from 'zod/mini'
import { CODIGOS_RECUPERACAO } from '@balcao/contract/constants'
import { RECUPERACAO_ALFABETO } from '@balcao/contract/entities/identidade'
import { columns, sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow, oneValue } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

/** Characters that find the row. The others, 40 random bits, are only in the hash. */
const SELECTOR_LENGTH = 4
const CODE_LENGTH = 12
const GROUP = /.{4}(?=.)/g

const selectorOf = (code: string): string => code.slice(0, SELECTOR_LENGTH)

type RecoveryCodes = Awaited<ReturnType<typeof createRecoveryCodes>>

/** Takes a quarter of a second. */
export async function createRecoveryCodes({ ids, passwords }: Pick<Deps, 'ids' | 'passwords'>, ip: string) {
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

const usuarioId = value('usuarioId', 'uuid')
const unused = sql`from codigos_recuperacao where usuario_id = ${usuarioId} and usado_em is null`

export const deleteRecoveryCodes = noRows(
  'auth: delete recovery codes',
  sql`delete from codigos_recuperacao where usuario_id = ${usuarioId}`,
)

const insertRecoveryCodes = noRows(
  'auth: insert recovery codes',
  sql`insert into codigos_recuperacao (usuario_id, seletor, hash)
      select ${usuarioId}, seletor, hash from ${columns('rows', { seletor: 'text', hash: 'text' })}`,
)

export async function replaceRecoveryCodes(tx: Tx, usuarioId: string, { rows }: RecoveryCodes): Promise<void> {
  await deleteRecoveryCodes(tx, { usuarioId })
  await insertRecoveryCodes(tx, { usuarioId, rows })
}

const findUnused = oneRow(
  'auth: find recovery code',
  z.object({ hash: z.string() }),
  sql`select hash ${unused} and seletor = ${value('seletor', 'text')}`,
)

export async function findRecoveryHash(tx: Tx, usuarioId: string, code: string): Promise<string | null> {
  return (await findUnused(tx, { usuarioId, seletor: selectorOf(code) }))?.hash ?? null
}

export const useRecoveryCode = noRows(
  'auth: use recovery code',
  sql`update codigos_recuperacao set usado_em = ${value('at', 'timestamptz')}
      where usuario_id = ${usuarioId} and hash = ${value('hash', 'text')} and usado_em is null`,
)

export const countRecoveryCodes = oneValue(
  'auth: count recovery codes',
  z.int(),
  sql`select count(*)::int as value ${unused}`,
)
