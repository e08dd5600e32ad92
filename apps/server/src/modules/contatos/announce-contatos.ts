import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { readPublishedContatos } from './repository.ts'

/** Panels show a conversa with the name and the etiquetas of its contato. Further changes appear at the next read. */
export const ANNOUNCED_MAX = 100

export async function announceContatos(
  tx: Tx,
  { realtime }: Pick<Deps, 'realtime'>,
  contaId: string,
  changed: readonly { readonly id: string }[],
): Promise<void> {
  const ids = changed.slice(0, ANNOUNCED_MAX).map(({ id }) => id)
  const contatos = await readPublishedContatos(tx, contaId, ids)
  tx.afterCommit(() => {
    for (const contato of contatos) realtime.publish(contaId, 'contatoMudou', { userId: contaId, contato })
  })
}
