import { avaliacoesRoute, testeAvaliacaoRoute } from '@balcao/contract/routes/atendimento-conversa'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { readAvaliacaoStats } from './rating-stats.ts'
import { testAvaliacao } from './test-avaliacao.ts'

type AvaliacoesDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'applyEventIn'>

export function avaliacoesRoutes(deps: AvaliacoesDeps): BoundRoute[] {
  return [
    bind(avaliacoesRoute, ({ sessao }) => deps.db.read(sessao.contaId, (tx) => readAvaliacaoStats(tx, sessao))),
    bind(testeAvaliacaoRoute, async ({ sessao, body }) => {
      const telefone = await testAvaliacao(deps, sessao.contaId, body.whatsappId)
      return { mensagem: `Pergunta de avaliação simulada para +${telefone}. A próxima nota de 0 a 5 será registrada.` }
    }),
  ]
}
