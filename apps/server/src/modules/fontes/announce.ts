import type { Fonte } from '@balcao/contract/entities/fonte'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

export function announceFonte(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  contaId: string,
  fonte: Fonte,
  { removida = false } = {},
): void {
  const event = { userId: contaId, fonte, ...(removida ? { removida: true as const } : {}) }
  tx.afterCommit(() => realtime.publish(contaId, 'fonteMudou', event))
}
