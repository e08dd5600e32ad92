import type { PoolClient } from 'pg'
import * as z from 'zod/mini'
import { rawSql, sql } from '#db/statement/sql.ts'
import { oneValue } from '#db/statement/statement.ts'

const LOCK = 7_203_618

/** Allows one import of a conta at a time, until the transaction ends. Throws if another one runs. */
export async function lockContaImport(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ free: boolean }>('select pg_try_advisory_xact_lock($1) as free', [LOCK])
  if (rows[0]?.free !== true) throw new Error('Outra conta está sendo importada. Espere ela terminar.')
}

/** True while a conta is imported: its files have no visible rows yet, and must stay. */
export const isContaImporting = oneValue(
  'db: is conta importing',
  z.boolean(),
  sql`select exists (
    select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = ${rawSql(String(LOCK))} and granted
      and database = (select oid from pg_database where datname = current_database())) as value`,
)
