import { audienceOf, updateFinished } from '#modules/conversas/index.ts'
import type { Act, ActDeps, ConversaRef } from './change.ts'

const ENDS = {
  /** The bot says goodbye and may ask for a rating. */
  finalizar: { tipo: 'atendenteFinalizou', motivo: 'atendente' },
  /** The bot shows the menu, without a goodbye and without a rating. */
  devolver: { tipo: 'devolvidaAoBot', motivo: 'devolvida' },
  /** The customer did not answer: the bot only says goodbye. */
  silencio: { tipo: 'silencioEncerrou', motivo: 'inatividade' },
} as const

/** Ends the conversa. */
export function endConversa(
  { clock, realtime }: Pick<ActDeps, 'clock' | 'realtime'>,
  ref: ConversaRef,
  end: keyof typeof ENDS,
): Act {
  const { contaId, id } = ref
  const { tipo, motivo } = ENDS[end]
  return {
    ref,
    event: (base) => ({ tipo, ...base }),
    update: (tx) => updateFinished(tx, { contaId, id, em: clock.now(), motivo }),
    publish: (served, { revisao }) => {
      const event = { userId: contaId, conversaId: id, revisao }
      realtime.publishConversa(contaId, 'conversaFinalizada', event, audienceOf(served))
    },
  }
}
