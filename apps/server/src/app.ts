import type { FastifyInstance } from 'fastify'
import type { RouteShape } from '@balcao/contract/define-route'
import { apiRouteList } from '@balcao/contract/routes/all'
import type { Deps } from '#deps.ts'
import { docsRoute, healthRoutes } from '#http/ops/health.ts'
import { type BoundRoute, mount, type MountDeps } from '#http/handle.ts'
import { refusePanel, servePanel } from '#http/panel.ts'
import { serveArquivos, serveImages } from '#modules/arquivos/index.ts'
import { agendadasRoutes } from '#modules/agendadas/index.ts'
import { atendimentoRoutes, endConversasSilently } from '#modules/atendimento/index.ts'
import { auditoriaRoutes } from '#modules/auditoria/index.ts'
import { authRoutes } from '#modules/auth/index.ts'
import { avaliacoesRoutes } from '#modules/avaliacoes/index.ts'
import { summaryRoutes } from '#modules/resumo/index.ts'
import { botRoutes } from '#modules/bot/index.ts'
import { cardapioRoutes, servePage, Shops } from '#modules/cardapio/index.ts'
import { searchRoutes } from '#modules/busca/index.ts'
import { configuracaoRoutes } from '#modules/configuracao/index.ts'
import { registrosRoutes } from '#modules/registros/index.ts'
import { relatorioRoutes } from '#modules/relatorio/index.ts'
import { contatosRoutes } from '#modules/contatos/index.ts'
import { costRoutes } from '#modules/custos/index.ts'
import { availabilityRoutes } from '#modules/distribuicao/index.ts'
import { rehearsalRoutes } from '#modules/ensaio/index.ts'
import { avisosRoutes } from '#modules/avisos/index.ts'
import { equipeRoutes } from '#modules/equipe/index.ts'
import { fontesRoutes } from '#modules/fontes/index.ts'
import { deleteRespostasOfFonte, iaRoutes } from '#modules/ia/index.ts'
import { markRoutes } from '#modules/leituras/index.ts'
import { lgpdRoutes } from '#modules/lgpd/index.ts'
import { logsRoutes } from '#modules/logs/index.ts'
import { midiasRoutes } from '#modules/midias/index.ts'
import { linhasRoutes, lineSessionRoutes } from '#modules/linhas/index.ts'
import { notasRoutes } from '#modules/notas/index.ts'
import { pedidosRoutes, printerRoutes, servePixPictures } from '#modules/pedidos/index.ts'
import { provasRoutes } from '#modules/provas/index.ts'
import { produtosRoutes } from '#modules/produtos/index.ts'
import { oficialRoutes, receiveWebhooks } from '#modules/oficial/index.ts'
import { pushRoutes, trackOpened } from '#modules/push/index.ts'
import { simuladorRoutes } from '#modules/simulador/index.ts'
import { sistemaRoutes } from '#modules/sistema/index.ts'
import { readBrief, suggestionRoutes } from '#modules/sugestao/index.ts'
import { usuariosRoutes } from '#modules/usuarios/index.ts'
import { serveChat, webchatRoutes } from '#modules/webchat/index.ts'

function allRoutes(http: FastifyInstance, deps: Deps, shops: Shops): BoundRoute[] {
  return [
    ...authRoutes(deps),
    ...usuariosRoutes(deps),
    ...auditoriaRoutes(deps),
    ...configuracaoRoutes(deps),
    ...botRoutes(deps),
    ...trackOpened(deps, atendimentoRoutes({ ...deps, readBrief: (tx, which) => readBrief(tx, deps, which) })),
    ...pushRoutes(deps),
    ...agendadasRoutes(deps),
    ...availabilityRoutes(deps),
    ...markRoutes(deps),
    ...avisosRoutes(deps),
    ...equipeRoutes(deps),
    ...contatosRoutes(deps),
    ...notasRoutes(deps),
    ...lineSessionRoutes(deps),
    ...linhasRoutes({ ...deps, endConversas: (session, ids) => endConversasSilently(deps, session, ids) }),
    ...midiasRoutes(deps),
    ...searchRoutes(deps),
    ...avaliacoesRoutes(deps),
    ...summaryRoutes(deps),
    ...relatorioRoutes(deps),
    ...produtosRoutes(deps),
    ...pedidosRoutes(deps),
    ...cardapioRoutes(deps, shops),
    ...printerRoutes(deps),
    ...simuladorRoutes(deps),
    ...oficialRoutes(deps),
    ...costRoutes(deps),
    ...webchatRoutes(http, deps),
    ...registrosRoutes(deps),
    ...iaRoutes(deps),
    ...provasRoutes(deps),
    ...rehearsalRoutes(deps),
    ...fontesRoutes(deps, { deleteRespostas: deleteRespostasOfFonte }),
    ...suggestionRoutes(deps),
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

const nameOf = ({ method, path }: RouteShape): string => `${method} ${path}`

/** Mounts the routes of the contract. Throws unless they are exactly those of `apiRouteList`, which `/api/docs` shows. */
export function mountRoutes(
  http: FastifyInstance,
  deps: MountDeps,
  bound: readonly BoundRoute[],
  checkResponses?: boolean,
): void {
  const mounted = bound.map(({ row }) => nameOf(row))
  const listed = apiRouteList.map(nameOf)
  const unlisted = mounted.filter((name) => !listed.includes(name))
  const missing = listed.filter((name) => !mounted.includes(name))
  if (unlisted.length > 0) throw new Error(`routes outside the contract: ${unlisted.join(', ')}`)
  if (missing.length > 0) throw new Error(`routes without a handler: ${missing.join(', ')}`)
  for (const route of bound) mount(http, deps, route, checkResponses)
}

export async function mountApp(http: FastifyInstance, deps: Deps, options: AppOptions): Promise<void> {
  const { dist, checkResponses } = options
  const shops = new Shops(deps)
  mountRoutes(http, deps, allRoutes(http, deps, shops), checkResponses)
  serveArquivos(http, deps)
  serveImages(http, deps)
  servePixPictures(http)
  await receiveWebhooks(http, deps)
  healthRoutes(http, deps)
  docsRoute(http)
  if (dist === undefined) return refusePanel(http)
  serveChat(http, deps, dist)
  servePage(http, deps, shops, dist)
  await servePanel(http, dist, deps)
}
