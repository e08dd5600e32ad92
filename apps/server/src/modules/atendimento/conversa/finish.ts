import type { Conversa } from '@balcao/contract/entities/conversa'
import type { LoginSession } from '#http/authentication.ts'
import { audienceOf, updateFinished } from '#modules/conversas/index.ts'
import { type ActDeps, applyToBot, getAttended, refOf, requireChanged } from './change.ts'

/** Ends the conversa. The bot says goodbye and may ask for a rating. */
export function finishConversa(deps: ActDeps, session: LoginSession, id: string): Promise<Conversa> {
  const ref = refOf(session, id)
  const { contaId } = ref
  return deps.db.transaction(contaId, async (tx) => {
    const served = await applyToBot(tx, deps, ref, (base) => ({ tipo: 'atendenteFinalizou', ...base }))
    const finished = await updateFinished(tx, contaId, { id, em: deps.clock.now(), motivo: 'atendente' })
    await requireChanged(tx, ref, finished)
    const event = { userId: contaId, conversaId: id }
    tx.afterCommit(() => deps.realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOf(served)))
    return getAttended(tx, ref)
  })
}
