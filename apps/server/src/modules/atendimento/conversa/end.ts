import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import { updateFinished } from '#modules/conversas/index.ts'
import { audienceOf } from '#modules/leitores/index.ts'
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
