import { ignorarLacunaRoute, lacunasRoute } from '@balcao/contract/routes/ia-lacunas'
import { type BoundRoute, bind } from '#http/handle.ts'
import { createSharedReads } from '#lib/queue/share-reads.ts'
import { findLacunas, ignoreLacuna, type LacunaList, type LacunasDeps } from './find-lacunas.ts'

export function lacunaRoutes(deps: LacunasDeps): BoundRoute[] {
  // Windows that open together compare the texts once.
  const lists = createSharedReads<LacunaList>()
  return [
    bind(lacunasRoute, ({ sessao: { contaId }, query: { dias } }) =>
      lists(`${contaId} ${dias}`, () => findLacunas(deps, contaId, dias)),
    ),
    bind(ignorarLacunaRoute, async ({ sessao: { contaId }, params: { id }, query: { dias } }) => {
      await ignoreLacuna(deps, contaId, { id, dias })
    }),
  ]
}
