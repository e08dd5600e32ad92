import * as z from 'zod/mini'
import { contaId, rawSql, sql } from '#db/statement/sql.ts'
import { oneRow } from '#db/statement/statement.ts'
import { LAST_ID } from './plan.ts'

/**
 * The id of the newest text that the task read, and the texts with smaller ids than `oldestBelow`, which it did not read
 * yet. Null: it did not begin. The first check that stores the words of notas reads all texts that the index lacks.
 */
export const findProgress = oneRow(
  'busca: find progress',
  z.object({ ate: z.string(), oldestBelow: z.nullable(z.string()) }),
  sql`select ate, case when notas_rodada is null then '${rawSql(LAST_ID)}'
     when notas_rodada = rodada or completa_em is null then desde end as oldest_below
   from busca_contas where conta_id = ${contaId}`,
)

/** The smallest UUIDv7 of the time `ms` before the one of the id. */
export function idBefore(id: string, ms: number): string {
  const time = Math.max(0, Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - ms)
  const digits = time.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}
