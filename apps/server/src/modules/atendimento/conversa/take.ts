import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Tx } from '#db/transaction.ts'
import type { LoginSession } from '#http/authentication.ts'
import { updateTaken } from '#modules/conversas/index.ts'
import { type ActDeps, applyToBot, type ConversaRef, getAttended, requireChanged } from './change.ts'

export interface ActingOperador {
  readonly id: string
  readonly nome: string
}

/** The first operador wins. Taking an own conversa again succeeds. */
export function takeConversa(deps: ActDeps, { contaId, usuarioId, nome }: LoginSession, id: string): Promise<Conversa> {
  const ref = { contaId, id }
  return deps.db.transaction(contaId, async (tx) => {
    await takeConversaIn(tx, deps, ref, { id: usuarioId, nome })
    return getAttended(tx, ref)
  })
}

/** Takes the conversa in the caller's transaction. */
export async function takeConversaIn(
  tx: Tx,
  deps: Pick<ActDeps, 'clock' | 'realtime' | 'applyEventIn'>,
  ref: ConversaRef,
  { id: operadorId, nome: operador }: ActingOperador,
): Promise<void> {
  const { contaId, id } = ref
  await applyToBot(tx, deps, ref, (base) => ({ tipo: 'atendenteAssumiu', ...base }))
  const taken = await updateTaken(tx, contaId, { id, operadorId, operador, em: deps.clock.now() })
  await requireChanged(tx, ref, taken)
  const event = { userId: contaId, conversaId: id, operadorId, operador }
  tx.afterCommit(() => deps.realtime.publish(contaId, 'conversaAssumida', event))
}
