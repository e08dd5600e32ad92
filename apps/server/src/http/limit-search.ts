import { AppError } from '#errors.ts'
import type { Tx } from '#db/transaction.ts'

const SEARCH_MS = 2_000
const STATEMENT_TIMEOUT = '57014'

/**
 * Runs a read whose cost grows with the rows of the conta. Each of its statements ends after 2 s, so a few of them do
 * not hold processor and connections. Throws `servidorOcupado` with the advice.
 */
export async function limitSearch<T>(tx: Tx, advice: string, search: () => Promise<T>): Promise<T> {
  try {
    // One round trip: the search is sent right behind the setting.
    const [, result] = await Promise.all([tx.query(`set local statement_timeout = ${SEARCH_MS}`), search()])
    return result
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === STATEMENT_TIMEOUT) {
      throw new AppError('servidorOcupado', { erro: advice })
    }
    throw error
  }
}
