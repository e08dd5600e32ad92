import { createBatcher, type Batcher } from '#lib/batcher.ts'
import { AppError } from '#errors.ts'
import { type SendDeps, type OperadorSend, sendMensagens, type SentMensagem } from './send-mensagens.ts'

const BATCH_MAX = 50

interface QueuedSend {
  /** The conversa: mensagens of one conversa keep their order. */
  readonly key: string
  readonly envio: OperadorSend
  readonly resolve: (sent: SentMensagem) => void
  readonly reject: (motivo: unknown) => void
}

/**
 * Batches the sends of a conta. Each send updates one counter row per day, and its lock is held until the commit is
 * durable, so single sends would run one commit after another. Sends that arrive during a commit share the next
 * one. A single send starts immediately.
 */
export function createSendBatcher(deps: SendDeps): (envio: OperadorSend) => Promise<SentMensagem> {
  const porConta = new Map<string, Batcher<QueuedSend>>()

  const open = (contaId: string): Batcher<QueuedSend> => {
    const processar = async (lote: readonly QueuedSend[]): Promise<readonly QueuedSend[]> => {
      await settleBatch(deps, contaId, lote)
      return []
    }
    const queue = createBatcher<QueuedSend>({ max: BATCH_MAX, slots: 1, handleBatch: processar })
    porConta.set(contaId, queue)
    return queue
  }

  const close = async (contaId: string, queue: Batcher<QueuedSend>): Promise<void> => {
    do await queue.idle()
    while (queue.pending() > 0)
    porConta.delete(contaId)
  }

  return (envio) => {
    const { promise, resolve, reject } = Promise.withResolvers<SentMensagem>()
    const aberta = porConta.get(envio.contaId)
    const queue = aberta ?? open(envio.contaId)
    queue.add({ key: envio.conversaId, envio, resolve, reject })
    if (aberta === undefined) void close(envio.contaId, queue)
    return promise
  }
}

/** Settles every item of the batch. Never rejects. */
async function settleBatch(deps: SendDeps, contaId: string, batch: readonly QueuedSend[]): Promise<void> {
  try {
    const envios = batch.map(({ envio }) => envio)
    const results = await deps.db.transaction(contaId, (tx) => sendMensagens(tx, deps, contaId, envios), 'indices')
    for (const [index, result] of results.entries()) {
      if (result.tipo === 'enviada') batch[index]?.resolve(result.enviada)
      else batch[index]?.reject(result.motivo)
    }
  } catch (error) {
    if (error instanceof AppError && batch.length > 1) {
      // One item rolled the whole transaction back, so each item is retried alone.
      for (const turno of batch) await settleBatch(deps, contaId, [turno])
    } else {
      for (const { reject } of batch) reject(error)
    }
  }
}
