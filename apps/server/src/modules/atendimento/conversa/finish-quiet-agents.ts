import type { Deps } from '#deps.ts'
import { audienceOfEnded, finishQuietAgents } from '#modules/conversas/index.ts'

/** Meta's agent may write until the customer has been silent for 24 hours. */
const QUIET_MS = 24 * 3_600_000
const BATCH_SIZE = 200

/**
 * Finishes conversas in which only Meta's agent serves and which had no message for 24 hours. Returns their number.
 */
export async function finishQuietAgentConversas(deps: Pick<Deps, 'db' | 'clock' | 'realtime'>): Promise<number> {
  const { db, clock, realtime } = deps
  const em = clock.now()
  const quiet = { before: new Date(em.getTime() - QUIET_MS), em, limit: BATCH_SIZE }
  const contas = await db.transaction('*', async (tx) => {
    const { rows } = await tx.query<{ conta_id: string }>('select distinct conta_id from conversas where agente_meta')
    return rows.map(({ conta_id: contaId }) => contaId)
  })
  let finished = 0
  for (const contaId of contas) {
    for (;;) {
      const ended = await db.transaction(contaId, (tx) => finishQuietAgents(tx, { contaId, ...quiet }))
      for (const conversa of ended) {
        const event = { userId: contaId, conversaId: conversa.id, revisao: conversa.revisao }
        realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOfEnded(conversa))
      }
      finished += ended.length
      if (ended.length < BATCH_SIZE) break
    }
  }
  return finished
}
