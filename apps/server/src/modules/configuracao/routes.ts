import type { ConfigVersionada } from '@balcao/contract/entities/config'
import {
  configRoute,
  restaurarConfigRoute,
  salvarConfigBotRoute,
  salvarConfigRoute,
  salvarSetoresRoute,
  versoesConfigRoute,
} from '@balcao/contract/routes/config'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import type { ConfigDeps } from './alterar-config.ts'
import { listarVersoes } from './listar-versoes.ts'
import { restaurarVersao } from './restaurar-versao.ts'
import { salvarConfig } from './salvar-config.ts'
import { salvarSetores } from './salvar-setores.ts'
import { verConfig } from './ver-config.ts'

const resposta = (config: ConfigVersionada): { sucesso: true; config: ConfigVersionada } => ({ sucesso: true, config })

export function configuracaoRoutes(deps: ConfigDeps & Pick<Deps, 'ids'>): BoundRoute[] {
  return [
    bind(configRoute, async ({ sessao: { contaId } }) => resposta(await verConfig(deps, contaId))),
    bind(salvarConfigRoute, async ({ sessao, body }) => resposta(await salvarConfig(deps, sessao, body))),
    bind(salvarConfigBotRoute, async ({ sessao, body }) =>
      resposta(await salvarConfig(deps, sessao, body.configuracao)),
    ),
    bind(salvarSetoresRoute, async ({ sessao, body }) =>
      resposta(await salvarSetores(deps, sessao, () => body.setores, body.versao ?? null)),
    ),
    bind(versoesConfigRoute, ({ sessao, query }) => listarVersoes(deps, sessao.contaId, query)),
    bind(restaurarConfigRoute, async ({ sessao, params, body }) =>
      resposta(await restaurarVersao(deps, sessao, { qual: params.n, versao: body.versao ?? null })),
    ),
  ]
}
