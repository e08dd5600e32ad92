import { buscarMensagensRoute } from '@balcao/contract/routes/atendimento-busca'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { searchMensagens } from './search.ts'

export function searchRoutes(deps: Pick<Deps, 'db'>): BoundRoute[] {
  return [
    bind(buscarMensagensRoute, ({ sessao, query }) =>
      searchMensagens(deps, { contaId: sessao.contaId, reader: sessao, ...query }),
    ),
  ]
}
