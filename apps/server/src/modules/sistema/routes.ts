import { adminSistemaRoute } from '@balcao/contract/routes/admin'
import { healthRoute } from '@balcao/contract/routes/registros'
import { manutencaoRoute, sistemaStatusRoute } from '@balcao/contract/routes/sistema'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { alterarManutencao } from './alterar-manutencao.ts'
import { lerInstalacao } from './ler-instalacao.ts'
import { lerStatus } from './ler-status.ts'

type SistemaDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'cofre' | 'realtime' | 'bots' | 'mailer' | 'settings'>

export function sistemaRoutes(deps: SistemaDeps): BoundRoute[] {
  return [
    bind(healthRoute, async () => ({ sucesso: true as const })),
    bind(adminSistemaRoute, () => lerInstalacao(deps)),
    bind(sistemaStatusRoute, ({ sessao }) => lerStatus(deps, sessao.contaId)),
    bind(manutencaoRoute, async ({ sessao, body }) => ({ manutencao: await alterarManutencao(deps, sessao, body) })),
  ]
}
