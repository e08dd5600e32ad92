import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'

/** Smaller than every id. */
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'
/** Greater than every UUIDv7. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A transaction that began earlier may commit a message with a smaller id than the last one read. */
const LATE_COMMIT_MS = 2 * 60_000

/** Ranges of messages that the task may not have read. Null: the task did not begin. */
export interface SearchProgress {
  /** Messages with greater ids. */
  readonly newestAbove: string
  /** Messages with smaller ids. Null: none. */
  readonly oldestBelow: string | null
  /** True after the first check that stored the words of notas. */
  readonly notas: boolean
}

/** Late messages are looked up among this many before the last one read. */
const LATE_MAX = 500

const progressSchema = z.object({
  ate: z.string(),
  tarde: z.nullable(z.string()),
  desde: z.nullable(z.string()),
  completa_em: z.nullable(z.date()),
  notas: z.boolean(),
})

const PROGRESS_SQL = `
select b.ate, b.desde, b.completa_em,
  coalesce(b.notas_rodada < b.rodada or (b.notas_rodada = b.rodada and b.desde is null), false) as notas, (
  select m.id from mensagens m where m.conta_id = b.conta_id and m.id <= b.ate order by m.id desc offset ${LATE_MAX} limit 1
) as tarde from busca_contas b where b.conta_id = $1`

export async function readProgress(tx: Tx, contaId: string): Promise<SearchProgress | null> {
  const [row] = await tx.rows(progressSchema, PROGRESS_SQL, [contaId])
  if (row === undefined) return null
  const late = idBefore(row.ate, LATE_COMMIT_MS)
  // After the first complete round `desde` only shows the progress of a check.
  const oldestBelow = row.completa_em === null ? row.desde : null
  const newestAbove = row.tarde !== null && row.tarde > late ? row.tarde : late
  return { newestAbove, oldestBelow, notas: row.notas }
}

/** The smallest UUIDv7 of the time `ms` before the one of the id. */
export function idBefore(id: string, ms: number): string {
  const time = Math.max(0, Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16) - ms)
  const digits = time.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}
