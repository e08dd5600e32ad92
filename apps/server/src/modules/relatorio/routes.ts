import { estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento-resumo'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { readQueueStats } from './estatisticas.ts'
import { readRelatorio } from './relatorio.ts'

export function relatorioRoutes(deps: Pick<Deps, 'db' | 'clock' | 'vault'>): BoundRoute[] {
  const { db, clock } = deps
  return [
    bind(estatisticasAtendimentoRoute, ({ sessao }) =>
      db.read(sessao.contaId, async (tx) => {
        const { config } = await loadConfig(tx, deps, sessao.contaId)
        return readQueueStats(tx, sessao, { setores: config.atendimento.setores, agora: clock.now() })
      }),
    ),
    bind(relatorioRoute, ({ sessao, query }) =>
      db.read(sessao.contaId, (tx) =>
        readRelatorio(tx, sessao, { ...query, agora: clock.now(), vendas: readsSales(sessao) }),
      ),
    ),
  ]
}

/** Operadores see orders, and not what the shop earns. */
function readsSales({ tipo, componentes }: LoginSession): boolean {
  return tipo !== 'operador' && (tipo === 'admin' || componentes.lojaWhatsapp)
}
