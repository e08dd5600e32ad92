import type { Conversa } from '@balcao/contract/entities/conversa'
import type { LoginSession } from '#http/authentication.ts'
import { type ChangeDeps, changeConversa } from './change.ts'
import { updateFinished } from '#modules/atendimento/repository.ts'

/** Returns the contato to the bot, which shows the menu. The conversa ends without a goodbye and without a rating. */
export function returnConversaToBot(deps: ChangeDeps, { contaId }: LoginSession, id: string): Promise<Conversa> {
  return deps.db.transaction(contaId, (tx) =>
    changeConversa(
      tx,
      deps,
      { contaId, id },
      {
        event: (base) => ({ tipo: 'devolvidaAoBot', ...base }),
        write: () => updateFinished(tx, contaId, { id, em: deps.clock.now(), motivo: 'devolvida' }),
        publish: () => deps.realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId: id }),
      },
    ),
  )
}
