import * as z from 'zod/mini'
import { inOrder, manyRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { sql } from '#db/statement/sql.ts'
import type { Deps } from '#deps.ts'
import { updateFinished, finishQuietAgents } from '#modules/conversas/index.ts'
import { audienceOf, audienceOfEnded } from '#modules/leitores/index.ts'
import { type ActDeps, type ConversaRef, otherWasFaster, requireOpen } from './change.ts'

const ENDS = {
  /** The bot says goodbye and may ask for a rating. */
  finalizar: { tipo: 'atendenteFinalizou', motivo: 'atendente' },
  /** The bot shows the menu, without a goodbye and without a rating. */
  devolver: { tipo: 'devolvidaAoBot', motivo: 'devolvida' },
  /** The customer did not answer: the bot only says goodbye. */
  silencio: { tipo: 'silencioEncerrou', motivo: 'inatividade' },
} as const

export async function endConversa(
  tx: Tx,
  { clock, realtime, sendEventIn }: Pick<ActDeps, 'clock' | 'realtime' | 'sendEventIn'>,
  ref: ConversaRef,
  end: keyof typeof ENDS,
): Promise<void> {
  const { contaId, id } = ref
  const { tipo, motivo } = ENDS[end]
  const { contatoId } = await requireOpen(tx, ref)
  const event = await sendEventIn(tx, { contaId, contatoId }, (base) => ({ tipo, ...base }))
  const [, before, situacao] = await inOrder([
    event.stored,
    requireOpen(tx, ref),
    updateFinished(tx, { contaId, id, em: clock.now(), motivo }),
  ])
  if (situacao === null) throw await otherWasFaster(tx, ref)
  tx.afterCommit(() => {
    const ended = { userId: contaId, conversaId: id, revisao: situacao.revisao }
    realtime.publishConversa(contaId, 'conversaFinalizada', ended, audienceOf(before))
  })
}

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
