import { disponibilidadeRoute, mudarDisponibilidadeRoute } from '@balcao/contract/routes/disponibilidade'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { signalQueues } from '#modules/prazos/index.ts'
import { findAvailable, saveAvailable } from './people.ts'

export function availabilityRoutes({ db, clock }: Pick<Deps, 'db' | 'clock'>): BoundRoute[] {
  return [
    bind(disponibilidadeRoute, async ({ sessao: { contaId, usuarioId } }) => {
      const found = await db.read(contaId, (tx) => findAvailable(tx, { contaId, usuarioId }))
      return found ?? { disponivel: false, automatica: false }
    }),
    bind(mudarDisponibilidadeRoute, ({ sessao: { contaId, usuarioId }, body: { disponivel } }) =>
      db.transaction(contaId, async (tx) => {
        await saveAvailable(tx, { contaId, usuarioId, disponivel, now: clock.now() })
        await signalQueues(tx, { contas: [contaId] })
      }),
    ),
  ]
}
