import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { LoginSession } from '#http/authentication.ts'
import { updateTaken } from '#modules/conversas/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
import { type ActDeps, type ConversaRef, otherWasFaster, requireOpen } from './change.ts'

export type ActingOperador = Pick<LoginSession, 'usuarioId' | 'nome' | 'setores'>

/** The first operador wins. Taking an own conversa again succeeds. */
export async function takeConversa(
  tx: Tx,
  { clock, realtime, sendEventIn }: Pick<ActDeps, 'clock' | 'realtime' | 'sendEventIn'>,
  { contaId, id }: Pick<ConversaRef, 'contaId' | 'id'>,
  reader: ActingOperador,
): Promise<void> {
  const { usuarioId: operadorId, nome: operador } = reader
  const ref = { contaId, id, reader }
  const { contatoId } = await requireOpen(tx, ref)
  const event = await sendEventIn(tx, { contaId, contatoId }, (base) => ({ tipo: 'atendenteAssumiu', ...base }))
  const [, before, situacao] = await inOrder([
    event.stored,
    requireOpen(tx, ref),
    updateTaken(tx, { contaId, id, operadorId, operador, em: clock.now() }),
  ])
  if (situacao === null) throw await otherWasFaster(tx, ref)
  tx.afterCommit(() => {
    const taken = { userId: contaId, conversaId: id, operadorId, operador, situacao }
    realtime.publishConversa(contaId, 'conversaAssumida', taken, audienceOf(before))
  })
}
