import type { FastifyInstance } from 'fastify'
import { apiRouteList } from '@balcao/contract/routes/all'
import type { Deps } from '#deps.ts'
import { docsRoute } from '#http/ops/docs.ts'
import { type BoundRoute, mount } from '#http/handle.ts'
import { healthRoutes } from '#http/ops/health.ts'
import { servePanel } from '#http/panel.ts'
import { serveArquivos, serveImages } from '#modules/arquivos/index.ts'
import { atendimentoRoutes } from '#modules/atendimento/index.ts'
import { auditoriaRoutes } from '#modules/auditoria/index.ts'
import { authRoutes } from '#modules/auth/index.ts'
import { avaliacoesRoutes } from '#modules/avaliacoes/index.ts'
import { botRoutes } from '#modules/bot/index.ts'
import { configuracaoRoutes } from '#modules/configuracao/index.ts'
import { registrosRoutes } from '#modules/registros/index.ts'
import { relatorioRoutes } from '#modules/relatorio/index.ts'
import { equipeRoutes } from '#modules/equipe/index.ts'
import { iaRoutes } from '#modules/ia/index.ts'
import { lgpdRoutes } from '#modules/lgpd/index.ts'
import { logsRoutes } from '#modules/logs/index.ts'
import { midiasRoutes } from '#modules/midias/index.ts'
import { produtosRoutes } from '#modules/produtos/index.ts'
import { oficialRoutes, receiveWebhooks } from '#modules/oficial/index.ts'
import { simuladorRoutes } from '#modules/simulador/index.ts'
import { sistemaRoutes } from '#modules/sistema/index.ts'
import { usuariosRoutes } from '#modules/usuarios/index.ts'

function allRoutes(deps: Deps): BoundRoute[] {
  return [
    ...authRoutes(deps),
    ...usuariosRoutes(deps),
    ...auditoriaRoutes(deps),
    ...configuracaoRoutes(deps),
    ...botRoutes(deps),
    ...atendimentoRoutes(deps),
    ...equipeRoutes(deps),
    ...midiasRoutes(deps),
    ...avaliacoesRoutes(deps),
    ...relatorioRoutes(deps),
    ...produtosRoutes(deps),
    ...simuladorRoutes(deps),
    ...oficialRoutes(deps),
    ...registrosRoutes(deps),
    ...iaRoutes(deps),
    ...logsRoutes(deps),
    ...lgpdRoutes(deps),
    ...sistemaRoutes(deps),
  ]
}

interface AppOptions {
  readonly dist: string | undefined
  /** Checks every response against the contract. Off in production. */
  readonly checkResponses: boolean | undefined
}

/** Mounts every route of the contract and the panel. Throws when a route has no handler. */
export async function mountApp(http: FastifyInstance, deps: Deps, options: AppOptions): Promise<void> {
  const { dist, checkResponses } = options
  const bound = allRoutes(deps)
  const names = new Set(bound.map(({ row }) => `${row.method} ${row.path}`))
  for (const route of bound) mount(http, deps.authenticate, route, checkResponses)
  const orfas = apiRouteList.filter((row) => !names.has(`${row.method} ${row.path}`))
  if (orfas.length > 0) throw new Error(`routes without a handler: ${orfas.map(({ path }) => path).join(', ')}`)
  serveArquivos(http, deps)
  serveImages(http, deps)
  await receiveWebhooks(http, deps)
  healthRoutes(http, deps)
  docsRoute(http)
  if (dist !== undefined) await servePanel(http, dist)
}
