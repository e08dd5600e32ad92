import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { addAvisos } from '#modules/avisos/index.ts'
import { takeEndedReminders } from './marks.ts'

/** Ends due reminders of a conta and those whose customer wrote. Each person gets one notice. */
export function endReminders(deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime'>, contaId: string): Promise<void> {
  return deps.db.transaction(contaId, async (tx: Tx) => {
    const ended = await takeEndedReminders(tx, { contaId, now: deps.clock.now() })
    const avisos = ended.map(({ usuarioId, conversaId, nome, escreveu }) => ({
      ...{ usuarioId, conversaId, tipo: 'lembrete' as const },
      texto: escreveu ? `${nome} escreveu de novo.` : `Você pediu para lembrar de ${nome}.`,
    }))
    await addAvisos(tx, deps, contaId, avisos)
  })
}
