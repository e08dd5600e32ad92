import type { Conversa } from '@balcao/contract/entities/conversa'
import type { LoginSession } from '#http/authentication.ts'
import { audienceOf, updateFinished } from '#modules/conversas/index.ts'
import { type ActDeps, applyAct, getAttended, refOf } from './change.ts'

/** Ends the conversa. The bot says goodbye and may ask for a rating. */
export function finishConversa(deps: ActDeps, session: LoginSession, id: string): Promise<Conversa> {
  const ref = refOf(session, id)
  const { contaId } = ref
  return deps.db.transaction(
    contaId,
    async (tx) => {
      const { served, result } = await applyAct(tx, deps, ref, {
        event: (base) => ({ tipo: 'atendenteFinalizou', ...base }),
        update: () => updateFinished(tx, contaId, { id, em: deps.clock.now(), motivo: 'atendente' }),
        read: () => getAttended(tx, ref),
      })
      const event = { userId: contaId, conversaId: id }
      tx.afterCommit(() => deps.realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOf(served)))
      return result
    },
    'indices',
  )
}
