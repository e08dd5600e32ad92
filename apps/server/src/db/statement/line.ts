import { rawSql, type Sql } from './sql.ts'

/** Stored null is the first line of the account, whose id is the account's (docs/decisions/038-lines.md). */

/** The line of a row with `conta_id` and `linha_id`, as an id. */
export function lineOf(row: string): Sql<unknown> {
  return rawSql(`coalesce(${row}.linha_id, ${row}.conta_id)`)
}

/** The value to store in `linha_id`. */
export function storedLine({ contaId, linhaId }: LineKey): string | null {
  return linhaId === contaId ? null : linhaId
}

export interface LineKey {
  readonly contaId: string
  readonly linhaId: string
}
