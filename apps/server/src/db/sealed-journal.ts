import * as z from 'zod/mini'
import { linhaId, rawSql, sql, value } from './statement/sql.ts'
import { manyRows } from './statement/statement.ts'

const BATCH_SIZE = 200

const entrySchema = z.object({ id: z.string(), ordem: z.number(), valor: z.string() })
type SealedEntry = z.output<typeof entrySchema>

/** The statement for the next entries of a journal after `after`, in order. */
export const entriesAfter = (name: string, table: string) =>
  manyRows(
    name,
    entrySchema,
    sql`select id, ordem, valor from ${rawSql(table)} where linha_id = ${linhaId} and ordem > ${value('after', 'bigint')}
        order by ordem limit ${rawSql(String(BATCH_SIZE))}`,
  )

export interface SealedJournal {
  /** Returns the next entries after this `ordem`, in order. Empty: no more. */
  readonly list: (after: number) => Promise<readonly SealedEntry[]>
  readonly open: (entry: SealedEntry) => string
  readonly remove: (ids: readonly string[]) => Promise<void>
  /** Receives the error of an entry that cannot be opened. The entry stays. */
  readonly unreadable: (error: unknown) => void
}

/** Deletes entries whose opened value matches one of these regular expressions. Each entry is opened for that. */
export async function deleteMatchingEntries(journal: SealedJournal, patterns: readonly string[]): Promise<void> {
  const expressions = patterns.map((pattern) => new RegExp(pattern))
  const matches = (entry: SealedEntry): boolean => {
    try {
      const opened = journal.open(entry)
      return expressions.some((expression) => expression.test(opened))
    } catch (error) {
      journal.unreadable(error)
      return false
    }
  }
  let after = 0
  for (;;) {
    const entries = await journal.list(after)
    const ids = entries.filter(matches).map(({ id }) => id)
    if (ids.length > 0) await journal.remove(ids)
    const last = entries.at(-1)
    if (last === undefined) return
    after = last.ordem
  }
}
