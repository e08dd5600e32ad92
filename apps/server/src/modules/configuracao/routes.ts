import type { VersionedConfig } from '@balcao/contract/entities/config'
import {
  configRoute,
  restaurarConfigRoute,
  salvarConfigBotRoute,
  salvarConfigRoute,
  salvarSetoresRoute,
  versoesConfigRoute,
} from '@balcao/contract/routes/config'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { type ConfigDeps, readConfigWithAvisos } from './change-config.ts'
import { forcedReason, saveConfig, saveSetores } from './save-config.ts'
import { listVersaoPage, restoreVersao } from './versoes.ts'

const configResponse = (config: VersionedConfig): { sucesso: true; config: VersionedConfig } => ({
  sucesso: true,
  config,
})

/** Operadores have no component of the shop. They see its orders only while the conta has it. */
function configFor({ tipo, componentes }: LoginSession, config: VersionedConfig): VersionedConfig {
  if (tipo !== 'operador' || componentes.lojaWhatsapp) return config
  return { ...config, loja: { ...config.loja, pedidos: false } }
}

export function configuracaoRoutes(deps: ConfigDeps & Pick<Deps, 'ids'>): BoundRoute[] {
  return [
    bind(configRoute, async ({ sessao }) => {
      const { config, avisos } = await readConfigWithAvisos(deps, sessao.contaId)
      return { ...configResponse(configFor(sessao, config)), avisos }
    }),
    bind(salvarConfigRoute, async ({ sessao, body, query }) =>
      configResponse(await saveConfig(deps, sessao, body, query)),
    ),
    bind(salvarConfigBotRoute, async ({ sessao, body, query }) =>
      configResponse(await saveConfig(deps, sessao, body.configuracao, query)),
    ),
    bind(salvarSetoresRoute, async ({ sessao, body }) =>
      configResponse(await saveSetores(deps, sessao, () => body.setores, body.versao ?? null)),
    ),
    bind(versoesConfigRoute, ({ sessao, query }) => listVersaoPage(deps, sessao.contaId, query)),
    bind(restaurarConfigRoute, async ({ sessao, params, body, query }) => {
      const wanted = { qual: params.n, versao: body.versao ?? null, motivo: forcedReason(query) }
      return configResponse(await restoreVersao(deps, sessao, wanted))
    }),
  ]
}
