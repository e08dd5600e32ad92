import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { createBatchers } from '#lib/queue/batcher.ts'
import { type Act, type ActDeps, applyTogether, type ConversaRef, readAttended } from './change.ts'

const BATCH_MAX = 20
/** The second batch reads and locks conversas while the first one commits. */
const SLOTS = 2

interface QueuedAct {
  readonly key: string
  readonly ref: ConversaRef
  readonly apply: Act['apply']
  readonly resolve: (conversa: Conversa) => void
  readonly reject: (error: unknown) => void
}

export type RunAct = (ref: ConversaRef, apply: Act['apply']) => Promise<Conversa>

/**
 * Acts that wait at the same time share round trips, the lock of the daily counter and the commit. A single act starts
 * immediately.
 */
export function createActBatcher(deps: Pick<ActDeps, 'db'>): RunAct {
  const add = createBatchers<QueuedAct>({
    ...{ max: BATCH_MAX, slots: SLOTS },
    handleBatch: (contaId, batch) => settleBatch(deps, contaId, batch),
  })
  return (ref, apply) => {
    const { promise, resolve, reject } = Promise.withResolvers<Conversa>()
    add(ref.contaId, { key: ref.id.toLowerCase(), ref, apply, resolve, reject })
    return promise
  }
}

/**
 * Never rejects. A failed act rolls all back, so each one is repeated alone. After a lost COMMIT the acts may be
 * stored, so none is repeated.
 */
async function settleBatch(deps: Pick<ActDeps, 'db'>, contaId: string, batch: readonly QueuedAct[]): Promise<void> {
  const acts = batch.map(({ ref, apply }) => ({ id: ref.id, apply }))
  const state: { step: 'waiting' | 'running' | 'applied' } = { step: 'waiting' }
  const applyAll = async (tx: Tx): Promise<Conversa[]> => {
    state.step = 'running'
    await applyTogether(tx, contaId, acts)
    const ids = batch.map(({ ref }) => ref.id)
    const conversas = await readAttended(tx, contaId, ids)
    state.step = 'applied'
    return conversas
  }
  try {
    const conversas = await deps.db.transaction(contaId, applyAll, { planner: 'indexes' })
    for (const [index, conversa] of conversas.entries()) batch[index]?.resolve(conversa)
  } catch (error) {
    if (batch.length > 1 && state.step === 'running') {
      await Promise.all(batch.map((one) => settleBatch(deps, contaId, [one])))
    } else {
      for (const { reject } of batch) reject(error)
    }
  }
}
