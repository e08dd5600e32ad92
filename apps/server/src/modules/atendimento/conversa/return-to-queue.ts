import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { returnConversas } from '#modules/conversas/index.ts'

export async function returnConversasToQueue(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  contaId: string,
  operadorId: string,
): Promise<void> {
  const returned = await returnConversas(tx, contaId, operadorId)
  tx.afterCommit(() => {
    for (const { id, situacao } of returned) {
      const { setor } = situacao
      const data = { userId: contaId, conversaId: id, novoSetor: setor, situacao }
      realtime.publishConversa(contaId, 'conversaTransferida', data, { setores: [setor], operadorId })
    }
  })
}
