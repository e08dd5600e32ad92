import { healthRoute } from '@balcao/contract/routes/registros'
import { manutencaoRoute, sistemaStatusRoute } from '@balcao/contract/routes/sistema'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { alterarManutencao } from './alterar-manutencao.ts'
import { lerStatus } from './ler-status.ts'

export function sistemaRoutes(deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'cofre' | 'realtime' | 'bots'>): BoundRoute[] {
  return [
    bind(healthRoute, async () => ({ sucesso: true as const })),
    bind(sistemaStatusRoute, ({ sessao }) => lerStatus(deps, sessao.contaId)),
    bind(manutencaoRoute, async ({ sessao, body }) => ({ manutencao: await alterarManutencao(deps, sessao, body) })),
  ]
}
