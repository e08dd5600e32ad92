import * as z from 'zod/mini'
import { rawSql, sql } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'

/** Page of a list in descending order of time-ordered ids. The cursor is the last id shown. */
export interface Page {
  readonly limite: number
  readonly before: string | null
}

const cursorSchema = z.uuid()

/** Parses the query of a list route. Throws `dadosInvalidos` for an unknown cursor. */
export function pageOf(
  query: { readonly limite?: number | undefined; readonly cursor?: string | undefined },
  defaultLimit: number,
): Page {
  const { limite = defaultLimit, cursor } = query
  if (cursor !== undefined && !cursorSchema.safeParse(cursor).success) throw new AppError('dadosInvalidos')
  return { limite, before: cursor ?? null }
}

/** Cuts the extra row. Repositories read one row more than the page; that row means there is a next page. */
export function cutPage<T extends { readonly id: string }>(
  rows: readonly T[],
  { limite }: Page,
): { itens: T[]; proximoCursor?: string } {
  const itens = rows.slice(0, limite)
  const last = itens.at(-1)
  return rows.length > limite && last !== undefined ? { itens, proximoCursor: last.id } : { itens }
}

const SEARCH_MS = 2_000
const STATEMENT_TIMEOUT = '57014'

const SEARCH_LIMIT = rawSql(String(SEARCH_MS))

const limitStatements = noRows('search: limit statements', sql`set local statement_timeout = ${SEARCH_LIMIT}`)

/** `now()` is the begin of the transaction, so all statements share the time. 0 would mean no limit. */
const limitToRest = noRows(
  'search: limit to rest',
  sql`select set_config('statement_timeout',
    greatest(1, ${SEARCH_LIMIT} - extract(epoch from clock_timestamp() - now()) * 1000)::int::text, true)`,
  { prepared: true },
)

/**
 * Runs a read whose cost grows with the rows of the conta, so that a few of them do not hold processor and connections.
 * Each statement ends after 2 s. The statements of the passed transaction end together, 2 s after its begin. Throws
 * `servidorOcupado` with the advice.
 */
export async function limitSearch<T>(tx: Tx, advice: string, search: (limited: Tx) => Promise<T>): Promise<T> {
  try {
    // The search is sent without waiting for the answer to the setting.
    const [, result] = await Promise.all([limitStatements(tx, {}), search(withSharedTime(tx))])
    return result
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === STATEMENT_TIMEOUT) {
      throw new AppError('servidorOcupado', { erro: advice })
    }
    throw error
  }
}

function withSharedTime(tx: Tx): Tx {
  const limited = async <T>(send: () => Promise<T>): Promise<T> => {
    const [, result] = await Promise.all([limitToRest(tx, {}), send()])
    return result
  }
  return {
    commitBehind: tx.commitBehind,
    afterCommit: tx.afterCommit,
    query: (text, values) => limited(() => tx.query(text, values)),
    send: (statement, values) => limited(() => tx.send(statement, values)),
  }
}
