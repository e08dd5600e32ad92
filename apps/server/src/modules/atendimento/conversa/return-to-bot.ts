import type { Conversa } from '@balcao/contract/entities/conversa'
import type { LoginSession } from '#http/authentication.ts'
import { updateFinished } from '#modules/conversas/index.ts'
import { type ActDeps, applyToBot, getAttended, requireChanged } from './change.ts'

/** Returns the contato to the bot, which shows the menu. The conversa ends without a goodbye and without a rating. */
export function returnConversaToBot(deps: ActDeps, { contaId }: LoginSession, id: string): Promise<Conversa> {
  const ref = { contaId, id }
  return deps.db.transaction(contaId, async (tx) => {
    await applyToBot(tx, deps, ref, (base) => ({ tipo: 'devolvidaAoBot', ...base }))
    const finished = await updateFinished(tx, contaId, { id, em: deps.clock.now(), motivo: 'devolvida' })
    await requireChanged(tx, ref, finished)
    tx.afterCommit(() => deps.realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId: id }))
    return getAttended(tx, ref)
  })
}
