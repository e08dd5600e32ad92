import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Sessao } from '#http/authentication.ts'
import { type MudarDeps, mudarConversa } from './mudar-conversa.ts'
import { takeConversa } from './repository.ts'

/** The first one wins; the same person again is no mistake. */
export function assumirConversa(deps: MudarDeps, sessao: Sessao, id: string): Promise<Conversa> {
  const { contaId, usuarioId: operadorId, nome: operador } = sessao
  return deps.db.transaction(contaId, (tx) =>
    mudarConversa(
      tx,
      deps,
      { contaId, id },
      {
        evento: (base) => ({ tipo: 'atendenteAssumiu', ...base }),
        gravar: () => takeConversa(tx, contaId, { id, operadorId, operador, em: deps.clock.now() }),
        publicar: () =>
          deps.realtime.publish(contaId, 'conversaAssumida', { userId: contaId, conversaId: id, operadorId, operador }),
      },
    ),
  )
}
