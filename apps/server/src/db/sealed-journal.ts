import * as z from 'zod/mini'
import type { Vault } from '#security/vault.ts'
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

/** The entries of all lines of a conta. Each is sealed with the context of its line and id. */
export interface SealedJournal {
  readonly contaId: string
  readonly linhas: readonly { readonly linhaId: string }[]
  /** Returns the next entries of a line after this `ordem`, in order. Empty: no more. */
  readonly list: (page: { readonly linhaId: string; readonly after: number }) => Promise<readonly SealedEntry[]>
  readonly remove: (entries: { readonly linhaId: string; readonly ids: readonly string[] }) => Promise<unknown>
  readonly sealContext: (linhaId: string, id: string) => string
  /** Logged with the error of an entry that cannot be opened. The entry stays. */
  readonly unreadable: string
}

interface JournalDeps {
  readonly vault: Pick<Vault, 'open'>
  readonly log: { readonly warn: (data: object, mensagem: string) => void }
}

/** Deletes entries whose opened value matches one of these regular expressions. Each entry is opened for that. */
export async function deleteMatchingEntries(
  { vault, log }: JournalDeps,
  { contaId, linhas, list, remove, sealContext, unreadable }: SealedJournal,
  patterns: readonly string[],
): Promise<void> {
  const expressions = patterns.map((pattern) => new RegExp(pattern))
  const matches = (linhaId: string, { id, valor }: SealedEntry): boolean => {
    try {
      const opened = vault.open(valor, sealContext(linhaId, id))
      return expressions.some((expression) => expression.test(opened))
    } catch (error) {
      log.warn({ err: error, contaId, linhaId }, unreadable)
      return false
    }
  }
  for (const { linhaId } of linhas) {
    let entries = await list({ linhaId, after: 0 })
    for (let last = entries.at(-1); last !== undefined; last = entries.at(-1)) {
      const ids = entries.filter((entry) => matches(linhaId, entry)).map(({ id }) => id)
      if (ids.length > 0) await remove({ linhaId, ids })
      entries = await list({ linhaId, after: last.ordem })
    }
  }
}
