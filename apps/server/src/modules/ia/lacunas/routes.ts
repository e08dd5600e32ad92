import { ignorarLacunaRoute, lacunasRoute } from '@balcao/contract/routes/ia-lacunas'
import { type BoundRoute, bind } from '#http/handle.ts'
import { createSharedReads } from '#lib/queue/share-reads.ts'
import { listGaps, ignoreGap, type GapList, type GapsDeps } from './list-gaps.ts'

export function gapRoutes(deps: GapsDeps): BoundRoute[] {
  // Windows that open together compare the texts once.
  const lists = createSharedReads<GapList>()
  return [
    bind(lacunasRoute, ({ sessao: { contaId }, query: { dias } }) =>
      lists(`${contaId} ${dias}`, () => listGaps(deps, contaId, dias)),
    ),
    bind(ignorarLacunaRoute, async ({ sessao: { contaId }, params: { id }, query: { dias } }) => {
      await ignoreGap(deps, contaId, { id, dias })
    }),
  ]
}
