import * as z from 'zod/mini'
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

/**
 * Runs a read whose cost grows with the rows of the conta. Each of its statements ends after 2 s, so a few of them do
 * not hold processor and connections. Throws `servidorOcupado` with the advice.
 */
export async function limitSearch<T>(tx: Tx, advice: string, search: () => Promise<T>): Promise<T> {
  try {
    // The search is sent without waiting for the answer to the setting.
    const [, result] = await Promise.all([tx.query(`set local statement_timeout = ${SEARCH_MS}`), search()])
    return result
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === STATEMENT_TIMEOUT) {
      throw new AppError('servidorOcupado', { erro: advice })
    }
    throw error
  }
}
