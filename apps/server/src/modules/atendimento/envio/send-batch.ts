import { AppError } from '#errors.ts'
import { createBatchers } from '#lib/queue/batcher.ts'
import { type SendDeps, type OperadorSend, sendMensagens, type SentMensagem } from './send-mensagens.ts'

const BATCH_MAX = 50

interface QueuedSend {
  readonly key: string
  readonly send: OperadorSend
  readonly resolve: (sent: SentMensagem) => void
  readonly reject: (motivo: unknown) => void
}

/**
 * The lock of the daily counter is held until the commit is durable, so single sends would run one commit after
 * another. A single send starts immediately.
 */
export function createSendBatcher(deps: SendDeps): (send: OperadorSend) => Promise<SentMensagem> {
  const add = createBatchers<QueuedSend>({
    ...{ max: BATCH_MAX, slots: 1 },
    handleBatch: (contaId, batch) => settleBatch(deps, contaId, batch),
  })
  return (send) => {
    const { promise, resolve, reject } = Promise.withResolvers<SentMensagem>()
    add(send.contaId, { key: send.conversaId, send, resolve, reject })
    return promise
  }
}

async function settleBatch(deps: SendDeps, contaId: string, batch: readonly QueuedSend[]): Promise<void> {
  try {
    const sends = batch.map(({ send }) => send)
    const results = await deps.db.transaction(contaId, (tx) => sendMensagens(tx, deps, contaId, sends), {
      planner: 'indexes',
    })
    for (const [index, result] of results.entries()) {
      if (result.tipo === 'enviada') batch[index]?.resolve(result.enviada)
      else batch[index]?.reject(result.motivo)
    }
  } catch (error) {
    if (error instanceof AppError && batch.length > 1) {
      // One item rolled the whole transaction back, so each item is retried alone.
      for (const item of batch) await settleBatch(deps, contaId, [item])
    } else {
      for (const { reject } of batch) reject(error)
    }
  }
}
