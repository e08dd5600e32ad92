import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { returnToQueue } from '#modules/atendimento/repository.ts'

export async function returnConversasToQueue(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  contaId: string,
  operadorId: string,
): Promise<void> {
  const devolvidas = await returnToQueue(tx, contaId, operadorId)
  tx.afterCommit(() => {
    for (const { id, setor } of devolvidas) {
      const data = { userId: contaId, conversaId: id, novoSetor: setor ?? 'geral' }
      realtime.publish(contaId, 'conversaTransferida', data)
    }
  })
}
