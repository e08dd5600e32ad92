import { avaliacoesRoute, estatisticasAtendimentoRoute, testeAvaliacaoRoute } from '@balcao/contract/routes/atendimento'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { readQueueStats } from '#modules/relatorio/estatisticas.ts'
import { readAvaliacaoStats } from '#modules/relatorio/rating-stats.ts'
import { readRelatorio } from '#modules/relatorio/relatorio.ts'
import { testAvaliacao } from './test-avaliacao.ts'

type AvaliacoesDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'applyEventIn'>

export function avaliacoesRoutes(deps: AvaliacoesDeps): BoundRoute[] {
  const { db, clock } = deps
  return [
    bind(avaliacoesRoute, ({ sessao: { contaId } }) => db.read(contaId, (tx) => readAvaliacaoStats(tx, contaId))),
    bind(testeAvaliacaoRoute, async ({ sessao, body }) => {
      const telefone = await testAvaliacao(deps, sessao.contaId, body.whatsappId)
      return { mensagem: `Pergunta de avaliação simulada para +${telefone}. A próxima nota de 0 a 5 será registrada.` }
    }),
    bind(estatisticasAtendimentoRoute, ({ sessao: { contaId } }) =>
      db.read(contaId, async (tx) => {
        const { config } = await loadConfig(tx, deps, contaId)
        return readQueueStats(tx, contaId, { setores: config.atendimento.setores, agora: clock.now() })
      }),
    ),
    bind(relatorioRoute, ({ sessao: { contaId }, query }) =>
      db.read(contaId, (tx) => readRelatorio(tx, contaId, { ...query, agora: clock.now() })),
    ),
  ]
}
