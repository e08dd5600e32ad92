import {
  assumirConversaRoute,
  conversasHumanasRoute,
  finalizarConversaRoute,
} from '@balcao/contract/routes/atendimento'
import {
  atualizarSetorRoute,
  criarSetorRoute,
  removerSetorRoute,
  setoresRoute,
} from '@balcao/contract/routes/atendimento-setores'
import { type BoundRoute, bind } from '#http/handle.ts'
import type { ConfigDeps } from '#modules/configuracao/index.ts'
import { assumirConversa } from './assumir-conversa.ts'
import { finalizarConversa } from './finalizar-conversa.ts'
import type { MudarDeps } from './mudar-conversa.ts'
import { listConversasHumanas, paginaDe } from './repository.ts'
import { atualizarSetor, criarSetor, listarSetores, removerSetor } from './setores.ts'

export function atendimentoRoutes(deps: ConfigDeps & MudarDeps): BoundRoute[] {
  return [
    bind(conversasHumanasRoute, ({ sessao: { contaId }, query }) => {
      const filtro = { ...query, pagina: paginaDe(query) }
      return deps.db.read(contaId, (tx) => listConversasHumanas(tx, contaId, filtro))
    }),
    bind(assumirConversaRoute, async ({ sessao, params }) => ({
      conversa: await assumirConversa(deps, sessao, params.id),
    })),
    bind(finalizarConversaRoute, async ({ sessao, params }) => ({
      conversa: await finalizarConversa(deps, sessao, params.id),
    })),
    bind(setoresRoute, async ({ sessao }) => ({ setores: await listarSetores(deps, sessao.contaId) })),
    bind(criarSetorRoute, async ({ sessao, body }) => ({ setor: await criarSetor(deps, sessao, body) })),
    bind(atualizarSetorRoute, async ({ sessao, params, body }) => ({
      setor: await atualizarSetor(deps, sessao, { id: params.id, mudado: body }),
    })),
    bind(removerSetorRoute, async ({ sessao, params }) => ({
      sucesso: true as const,
      setores: await removerSetor(deps, sessao, params.id),
    })),
  ]
}
