import type { Database, PlannerMode, Tx } from '#db/transaction.ts'
import { createBatchers } from '#lib/batcher.ts'

/**
 * Reads whose statements leave in one write, together with BEGIN and COMMIT. A round trip costs more than a short
 * read: the wake-ups of two processes.
 */

/** Sends all its statements before its first `await`; later ones throw. */
export type ReadAtOnce<T> = (tx: Tx) => Promise<T>

/** Runs one read in one round trip. Rejects with the error of its statement. */
export async function readAtOnce<T>(
  db: Pick<Database, 'read'>,
  contaId: string,
  fn: ReadAtOnce<T>,
  plano?: PlannerMode,
): Promise<T> {
  const {
    results: [result],
  } = await readAll(db, contaId, [fn], plano)
  if (result === undefined) throw new Error('read without a result')
  return result
}

async function readAll<T>(
  db: Pick<Database, 'read'>,
  contaId: string,
  reads: readonly ReadAtOnce<T>[],
  plano?: PlannerMode,
): Promise<{ readonly results: readonly Promise<T>[] }> {
  let results: Promise<T>[] = []
  try {
    await db.read(
      contaId,
      (tx) => {
        results = reads.map((read) => read(tx))
        for (const result of results) result.catch(() => undefined)
        return Promise.resolve()
      },
      plano,
    )
  } catch (error) {
    // The error of a statement is more specific than the error of the COMMIT behind it.
    await Promise.all(results)
    throw error
  }
  return { results }
}

/** Two transactions of one conta run at the same time; further reads join the next one. */
const SLOTS = 2
const READS_MAX = 10

interface QueuedRead {
  readonly key: string
  readonly run: (tx: Tx) => Promise<unknown>
  readonly resolve: () => void
  /** Repeats the read alone, or rejects if that cannot help. */
  readonly fail: (error: unknown, alone: boolean) => void
}

export type ReadTogether = <T>(contaId: string, fn: ReadAtOnce<T>) => Promise<T>

/**
 * Returns a function that runs reads of one conta which wait at the same time in one transaction, so that their
 * cost of BEGIN, COMMIT and wake-ups is shared. A single read starts in the next tick. After an error each read of
 * the transaction is repeated alone.
 */
export function createReadTogether(db: Pick<Database, 'read'>, plano?: PlannerMode): ReadTogether {
  let count = 0
  const handleBatch = async (contaId: string, batch: readonly QueuedRead[]): Promise<void> => {
    try {
      await readAll(
        db,
        contaId,
        batch.map(({ run }) => run),
        plano,
      )
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { fail } of batch) fail(error, batch.length === 1)
    }
  }
  const add = createBatchers<QueuedRead>({ max: READS_MAX, slots: SLOTS, handleBatch })

  return <T>(contaId: string, fn: ReadAtOnce<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let result: Promise<T> | null = null
    count += 1
    const read: QueuedRead = {
      key: String(count),
      run: (tx) => (result = fn(tx)),
      resolve: () => (result === null ? reject(new Error('read not sent')) : resolve(result)),
      // Without a result the transaction did not begin.
      fail: (error, alone) => (alone || result === null ? reject(error) : resolve(readAtOnce(db, contaId, fn, plano))),
    }
    add(contaId, read)
    return promise
  }
}
