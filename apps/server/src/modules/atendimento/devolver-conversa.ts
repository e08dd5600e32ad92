import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Sessao } from '#http/authentication.ts'
import { type MudarDeps, mudarConversa } from './mudar-conversa.ts'
import { finishConversa } from './repository.ts'

/** Returns the contato to the bot, which shows the menu. The conversa ends without a goodbye and without a rating. */
export function devolverConversa(deps: MudarDeps, { contaId }: Sessao, id: string): Promise<Conversa> {
  return deps.db.transaction(contaId, (tx) =>
    mudarConversa(
      tx,
      deps,
      { contaId, id },
      {
        evento: (base) => ({ tipo: 'devolvidaAoBot', ...base }),
        gravar: () => finishConversa(tx, contaId, { id, em: deps.clock.now(), motivo: 'devolvida' }),
        publicar: () => deps.realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId: id }),
      },
    ),
  )
}
