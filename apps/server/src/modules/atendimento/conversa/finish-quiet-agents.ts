import * as z from 'zod/mini'
import { sql } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import { finishQuietAgents } from '#modules/conversas/index.ts'
import { audienceOfEnded } from '#modules/leitores/index.ts'

/** Meta's agent may write until the customer has been silent for 24 hours. */
const QUIET_MS = 24 * 3_600_000
const BATCH_SIZE = 200

const listAgentContas = manyRows(
  'atendimento: list contas with agents',
  z.object({ contaId: z.string() }),
  sql`select distinct conta_id from conversas where agente_meta`,
)

export async function finishQuietAgentConversas(deps: Pick<Deps, 'db' | 'clock' | 'realtime'>): Promise<number> {
  const { db, clock, realtime } = deps
  const em = clock.now()
  const quiet = { before: new Date(em.getTime() - QUIET_MS), em, limit: BATCH_SIZE }
  let finished = 0
  for (const { contaId } of await db.transaction('*', (tx) => listAgentContas(tx, {}))) {
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
