import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import type { LoginSession } from '#http/authentication.ts'
import { audienceOf, updateTaken } from '#modules/conversas/index.ts'
import { type ActDeps, applyToBot, type ConversaRef, getAttended, refOf, requireChanged } from './change.ts'

export type ActingOperador = Pick<LoginSession, 'usuarioId' | 'nome' | 'setores'>

/** The first operador wins. Taking an own conversa again succeeds. */
export function takeConversa(deps: ActDeps, session: LoginSession, id: string): Promise<Conversa> {
  const ref = refOf(session, id)
  return deps.db.transaction(ref.contaId, async (tx) => {
    await takeConversaIn(tx, deps, ref, session)
    return getAttended(tx, ref)
  })
}

/** Takes the conversa in the caller's transaction. */
export async function takeConversaIn(
  tx: Tx,
  deps: Pick<ActDeps, 'clock' | 'realtime' | 'applyEventIn'>,
  { contaId, id }: Pick<ConversaRef, 'contaId' | 'id'>,
  reader: ActingOperador,
): Promise<void> {
  const ref = { contaId, id, reader }
  const { usuarioId: operadorId, nome: operador } = reader
  const served = await applyToBot(tx, deps, ref, (base) => ({ tipo: 'atendenteAssumiu', ...base }))
  const taken = await updateTaken(tx, contaId, { id, operadorId, operador, em: deps.clock.now() })
  await requireChanged(tx, ref, taken)
  const event = { userId: contaId, conversaId: id, operadorId, operador }
  tx.afterCommit(() => deps.realtime.publishConversa(contaId, 'conversaAssumida', event, audienceOf(served)))
}
