import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import { createBatchers } from '#lib/batcher.ts'
import { type Act, type ActDeps, applyActs, getAttended } from './change.ts'

const BATCH_MAX = 20
/** Batches of a conta that run at the same time: the second reads and locks conversas while the first commits. */
const SLOTS = 2

interface QueuedAct {
  /** The conversa: acts on one conversa run one after the other. */
  readonly key: string
  readonly act: Act
  readonly resolve: (conversa: Conversa) => void
  readonly reject: (error: unknown) => void
}

/** Resolves with the conversa after the act. */
export type RunAct = (act: Act) => Promise<Conversa>

/**
 * Runs acts of one conta that wait at the same time in one transaction, so that they share its round trips, the lock of
 * the daily counter and the commit. A single act starts immediately.
 */
export function createActBatcher(deps: ActDeps): RunAct {
  const add = createBatchers<QueuedAct>({
    ...{ max: BATCH_MAX, slots: SLOTS },
    handleBatch: (contaId, batch) => settleBatch(deps, contaId, batch),
  })
  return (act) => {
    const { promise, resolve, reject } = Promise.withResolvers<Conversa>()
    add(act.ref.contaId, { key: act.ref.id.toLowerCase(), act, resolve, reject })
    return promise
  }
}

/**
 * Settles every act of the batch. Never rejects. An act that fails rolls the whole transaction back, so each act is then
 * repeated alone. After a lost COMMIT the acts may be stored, so none is repeated.
 */
async function settleBatch(deps: ActDeps, contaId: string, batch: readonly QueuedAct[]): Promise<void> {
  const acts = batch.map(({ act }) => act)
  const state: { step: 'waiting' | 'running' | 'applied' } = { step: 'waiting' }
  const apply = async (tx: Tx): Promise<Conversa[]> => {
    state.step = 'running'
    const conversas = await applyActs(tx, deps, { contaId, acts, read: ({ ref }) => getAttended(tx, ref) })
    state.step = 'applied'
    return conversas
  }
  try {
    const conversas = await deps.db.transaction(contaId, apply, 'indices')
    for (const [index, conversa] of conversas.entries()) batch[index]?.resolve(conversa)
  } catch (error) {
    if (batch.length > 1 && state.step === 'running') {
      await Promise.all(batch.map((one) => settleBatch(deps, contaId, [one])))
    } else {
      for (const { reject } of batch) reject(error)
    }
  }
}
