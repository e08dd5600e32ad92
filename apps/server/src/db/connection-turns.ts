import type { Pool } from 'pg'
import { createGate, type Gate } from '#lib/queue/gate.ts'

export const POOL_TIMEOUT_MESSAGE = 'timeout exceeded when trying to connect'

/** Transactions with an array of contas, such as the batches of the bot, share one turn. */
export const SEVERAL = 'several'
const WAITING_MAX = 10_000
/** Largest share of the connections of one conta. Its slow statements cannot delay the other contas. */
const CONTA_SHARE = 1 / 4

/**
 * Free connections go to the waiting contas in turn, so one conta with many requests delays another one by a single
 * transaction. The pool itself serves its callers in the order of arrival.
 */
export function createConnectionTurns({ options: { max, connectionTimeoutMillis } }: Pool): Gate {
  return createGate({
    ...{ atOnce: max, waiting: WAITING_MAX },
    runningPerKey: (key) => (key === SEVERAL || key === '*' ? max : Math.ceil(max * CONTA_SHARE)),
    ...(connectionTimeoutMillis === undefined ? {} : { waitMs: connectionTimeoutMillis }),
    full: () => new Error(POOL_TIMEOUT_MESSAGE),
  })
}
