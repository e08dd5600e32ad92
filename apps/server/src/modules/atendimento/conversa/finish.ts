import type { Conversa } from '@balcao/contract/entities/conversa'
import type { LoginSession } from '#http/authentication.ts'
import { updateFinished } from '#modules/conversas/index.ts'
import { type ActDeps, applyToBot, getAttended, requireChanged } from './change.ts'

/** Ends the conversa. The bot says goodbye and may ask for a rating. */
export function finishConversa(deps: ActDeps, { contaId }: LoginSession, id: string): Promise<Conversa> {
  const ref = { contaId, id }
  return deps.db.transaction(contaId, async (tx) => {
    await applyToBot(tx, deps, ref, (base) => ({ tipo: 'atendenteFinalizou', ...base }))
    const finished = await updateFinished(tx, contaId, { id, em: deps.clock.now(), motivo: 'atendente' })
    await requireChanged(tx, ref, finished)
    tx.afterCommit(() => deps.realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId: id }))
    return getAttended(tx, ref)
  })
}
