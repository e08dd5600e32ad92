import type { Database, Tx } from '#db/transaction.ts'
import { createBatchers } from '#lib/queue/batcher.ts'

/** Two transactions of one conta run at the same time; further reads join the next one. */
const SLOTS = 2
const READS_MAX = 10
const OPTIONS = { planner: 'indexes', oneTrip: true } as const

/** Sends all its statements before its first `await`; later ones throw. */
type Read<T> = (tx: Tx) => Promise<T>

interface QueuedRead {
  readonly key: string
  readonly run: Read<unknown>
  readonly resolve: () => void
  readonly fail: (error: unknown, alone: boolean) => void
}

type ReadTogether = <T>(contaId: string, fn: Read<T>) => Promise<T>

/**
 * Reads of one conta that wait at the same time share the cost of BEGIN, COMMIT and wake-ups. After an error each read
 * is repeated alone.
 */
export function createReadTogether(db: Pick<Database, 'read'>): ReadTogether {
  let count = 0
  const handleBatch = async (contaId: string, batch: readonly QueuedRead[]): Promise<void> => {
    try {
      await db.read(contaId, (tx) => Promise.allSettled(batch.map(({ run }) => run(tx))), OPTIONS)
      for (const { resolve } of batch) resolve()
    } catch (error) {
      for (const { fail } of batch) fail(error, batch.length === 1)
    }
  }
  const add = createBatchers<QueuedRead>({ max: READS_MAX, slots: SLOTS, handleBatch })

  return <T>(contaId: string, fn: Read<T>): Promise<T> => {
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let result: Promise<T> | null = null
    count += 1
    const read: QueuedRead = {
      key: String(count),
      run: (tx) => (result = fn(tx)),
      resolve: () => (result === null ? reject(new Error('read not sent')) : resolve(result)),
      // Without a result the transaction did not begin.
      fail: (error, alone) =>
        result === null ? reject(error) : resolve(alone ? result : db.read(contaId, fn, OPTIONS)),
    }
    add(contaId, read)
    return promise
  }
}
