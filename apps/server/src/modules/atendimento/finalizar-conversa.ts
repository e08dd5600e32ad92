import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Sessao } from '#http/authentication.ts'
import { type MudarDeps, mudarConversa } from './mudar-conversa.ts'
import { finishConversa } from './repository.ts'

export function finalizarConversa(deps: MudarDeps, { contaId }: Sessao, id: string): Promise<Conversa> {
  return deps.db.transaction(contaId, (tx) =>
    mudarConversa(
      tx,
      deps,
      { contaId, id },
      {
        evento: (base) => ({ tipo: 'atendenteFinalizou', ...base }),
        gravar: () => finishConversa(tx, contaId, { id, em: deps.clock.now(), motivo: 'atendente' }),
        publicar: () => deps.realtime.publish(contaId, 'conversaFinalizada', { userId: contaId, conversaId: id }),
      },
    ),
  )
}
