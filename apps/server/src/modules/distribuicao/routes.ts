import { disponibilidadeRoute, mudarDisponibilidadeRoute } from '@balcao/contract/routes/disponibilidade'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { signalQueues } from '#modules/prazos/index.ts'
import { readAvailable, saveAvailable } from './people.ts'

export function availabilityRoutes({ db, clock }: Pick<Deps, 'db' | 'clock'>): BoundRoute[] {
  return [
    bind(disponibilidadeRoute, ({ sessao: { contaId, usuarioId } }) =>
      db.read(contaId, (tx) => readAvailable(tx, contaId, usuarioId)),
    ),
    bind(mudarDisponibilidadeRoute, ({ sessao: { contaId, usuarioId }, body: { disponivel } }) =>
      db.transaction(contaId, async (tx) => {
        await saveAvailable(tx, contaId, { usuarioId, disponivel, now: clock.now() })
        await signalQueues(tx, [contaId])
      }),
    ),
  ]
}
