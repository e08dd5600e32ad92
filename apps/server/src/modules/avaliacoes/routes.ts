import { avaliacoesRoute, estatisticasAtendimentoRoute, testeAvaliacaoRoute } from '@balcao/contract/routes/atendimento'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { readEstatisticas } from './estatisticas.ts'
import { readAvaliacoes } from './estatisticas-de-notas.ts'
import { readRelatorio } from './relatorio.ts'
import { testarAvaliacao } from './testar-avaliacao.ts'

type AvaliacoesDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'acontecerEm'>

export function avaliacoesRoutes(deps: AvaliacoesDeps): BoundRoute[] {
  const { db, clock } = deps
  return [
    bind(avaliacoesRoute, ({ sessao: { contaId } }) => db.read(contaId, (tx) => readAvaliacoes(tx, contaId))),
    bind(testeAvaliacaoRoute, async ({ sessao, body }) => {
      const telefone = await testarAvaliacao(deps, sessao.contaId, body.whatsappId)
      return { mensagem: `Pergunta de avaliação simulada para +${telefone}. A próxima nota de 0 a 5 será registrada.` }
    }),
    bind(estatisticasAtendimentoRoute, ({ sessao: { contaId } }) =>
      db.read(contaId, async (tx) => {
        const { config } = await loadConfig(tx, deps, contaId)
        return readEstatisticas(tx, contaId, { setores: config.atendimento.setores, agora: clock.now() })
      }),
    ),
    bind(relatorioRoute, ({ sessao: { contaId }, query }) =>
      db.read(contaId, (tx) => readRelatorio(tx, contaId, { ...query, agora: clock.now() })),
    ),
  ]
}
