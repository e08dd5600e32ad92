import type { QueryOf } from '@balcao/contract/define-route'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import {
  adminAtividadeRoute,
  adminConfiguracoesRoute,
  adminEmailsRoute,
  adminStatsRoute,
  salvarAdminConfiguracoesRoute,
} from '@balcao/contract/routes/admin'
import {
  adminUsuarioEstatisticasRoute,
  alterarStatusUsuarioRoute,
  criarUsuarioRoute,
  excluirUsuarioRoute,
  limiteLinhasRoute,
  limiteMensagensRoute,
  permissoesUsuarioRoute,
  planoUsuarioRoute,
  resetContadorRoute,
  restaurarUsuarioRoute,
  requestedStatus,
  usuariosRoute,
} from '@balcao/contract/routes/admin-usuarios'
import { hostsIaRoute, salvarHostsIaRoute } from '@balcao/contract/routes/admin-ia'
import { salvarWhatsappRoute, whatsappRoute } from '@balcao/contract/routes/admin-whatsapp'
import { removerSegundoFatorUsuarioRoute } from '@balcao/contract/routes/sessoes'
import { usuarioEstatisticasRoute } from '@balcao/contract/routes/usuario'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { getAdminSettings, removeSecondFactors, toUsuario } from '#modules/auth/index.ts'
import { readIaHosts } from '#modules/configuracao/index.ts'
import { listEmails } from '#modules/emails/index.ts'
import { listActivities, countUsuarios, listUsuarios, type UsuarioPage } from './list-usuarios.ts'
import { changeLimite, changeLimiteLinhas, applyPlano, resetCounter, changePermissions } from './conta/change-conta.ts'
import { changeStatus } from './conta/change-status.ts'
import { createUsuario } from './conta/create-usuario.ts'
import { deleteUsuario, restoreUsuario } from './conta/delete-usuario.ts'
import { readAdminStats } from './hourly-numbers.ts'
import { readProtocolVersion } from './protocol-version.ts'
import { getUsuarioAdmin, getUsuarioWithUso, limitsOf, lockUsuario, toUsuarioStats } from './repository.ts'
import { saveAdminSettings } from './save-settings.ts'
import { saveIaHosts } from './save-ia-hosts.ts'
import { saveProtocolVersion } from './save-version.ts'

const USUARIOS_PER_PAGE = 200
const EMAILS_PER_PAGE = 50

type UsuariosDeps = Pick<
  Deps,
  | 'db'
  | 'ids'
  | 'clock'
  | 'log'
  | 'vault'
  | 'passwords'
  | 'mailQueued'
  | 'mailer'
  | 'settings'
  | 'realtime'
  | 'bots'
  | 'forgetSessions'
  | 'sleep'
>

export function usuariosRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [...listRoutes(deps), ...changeRoutes(deps), ...settingsRoutes(deps)]
}

function listRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [
    bind(usuariosRoute, ({ query }) => readUsuarioList(deps, query)),
    bind(adminUsuarioEstatisticasRoute, async ({ params }) => {
      const parsed = await deps.db.transaction('*', (tx) => getUsuarioAdmin(tx, deps.clock.now(), params.id))
      return { sucesso: true as const, estatisticas: toUsuarioStats(parsed) }
    }),
    bind(usuarioEstatisticasRoute, async ({ sessao: { contaId, usuarioId } }) => {
      const parsed = await deps.db.transaction(contaId, (tx) =>
        getUsuarioWithUso(tx, deps.clock.now(), contaId, usuarioId),
      )
      const { mensagensHoje, limiteDiario, percentualUso, mensagemesTotalMes } = toUsuarioStats(parsed)
      const uso = { limiteDiario, percentualUso, mensagemesTotalMes }
      return {
        sucesso: true as const,
        usuario: {
          ...toUsuario(parsed),
          ...uso,
          estatisticas: { mensagensHoje, ...uso },
          recursos: limitsOf(parsed),
          limiteLinhas: parsed.limiteLinhas,
        },
      }
    }),
  ]
}

async function readUsuarioList(
  deps: Pick<Deps, 'db' | 'clock'>,
  query: QueryOf<typeof usuariosRoute>,
): Promise<{ usuarios: UsuarioAdmin[]; total: number; proximoCursor?: string }> {
  const { busca = '', status = null, limite = USUARIOS_PER_PAGE, pagina = 1 } = query
  const numbered = query.ordem !== undefined || query.pagina !== undefined
  const { ordem = 'cadastro', direcao = 'desc' } = query
  const qual: UsuarioPage = numbered ? { ordem, direcao, pagina, limite } : pageOf(query, USUARIOS_PER_PAGE)
  return deps.db.read('*', async (tx) => {
    const filter = { busca, status }
    const total = await countUsuarios(tx, filter)
    const parsed = await listUsuarios(tx, deps.clock.now(), filter, qual)
    if ('ordem' in qual) return { usuarios: parsed.slice(0, limite), total }
    const { itens, ...rest } = cutPage(parsed, qual)
    return { usuarios: itens, total, ...rest }
  })
}

function changeRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [
    bind(criarUsuarioRoute, async ({ sessao, body }) => ({ usuario: await createUsuario(deps, sessao, body) })),
    bind(alterarStatusUsuarioRoute, async ({ sessao, params, body }) => ({
      usuario: await changeStatus(deps, sessao, params.id, requestedStatus(body)),
    })),
    bind(excluirUsuarioRoute, async ({ sessao, params }) => {
      await deleteUsuario(deps, sessao, params.id)
      return { sucesso: true as const }
    }),
    bind(removerSegundoFatorUsuarioRoute, ({ sessao, params }) =>
      deps.db.transaction('*', async (tx) => {
        await removeSecondFactors(tx, deps, sessao, await lockUsuario(tx, params.id))
      }),
    ),
    bind(limiteMensagensRoute, async ({ sessao, params, body }) => ({
      usuario: await changeLimite(deps, sessao, params.id, body.limiteMensagensDia),
    })),
    bind(limiteLinhasRoute, async ({ sessao, params, body }) => ({
      usuario: await changeLimiteLinhas(deps, sessao, params.id, body.limiteLinhas),
    })),
    bind(permissoesUsuarioRoute, async ({ sessao, params, body }) => ({
      usuario: await changePermissions(deps, sessao, params.id, body.componentesPermitidos),
    })),
    bind(planoUsuarioRoute, async ({ sessao, params, body }) => ({
      usuario: await applyPlano(deps, sessao, params.id, body.plano),
    })),
    bind(restaurarUsuarioRoute, async ({ sessao, params }) => ({
      usuario: await restoreUsuario(deps, sessao, params.id),
    })),
    bind(resetContadorRoute, async ({ sessao, params }) => ({
      usuario: await resetCounter(deps, sessao, params.id),
    })),
  ]
}

function settingsRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [
    bind(adminStatsRoute, () => readAdminStats(deps)),
    bind(adminAtividadeRoute, async () => ({ atividades: await deps.db.read('*', listActivities) })),
    bind(adminConfiguracoesRoute, () => deps.db.transaction('*', getAdminSettings)),
    bind(salvarAdminConfiguracoesRoute, ({ sessao, body }) => saveAdminSettings(deps, sessao, body)),
    bind(hostsIaRoute, async () => ({ hosts: [...(await deps.db.read('*', readIaHosts))] })),
    bind(salvarHostsIaRoute, ({ sessao, body }) => saveIaHosts(deps, sessao, body)),
    bind(whatsappRoute, () => deps.db.read('*', readProtocolVersion)),
    bind(salvarWhatsappRoute, ({ sessao, body }) => saveProtocolVersion(deps, sessao, body.versao)),
    bind(adminEmailsRoute, async ({ query }) => {
      const page = pageOf(query, EMAILS_PER_PAGE)
      const { itens, ...rest } = cutPage(await deps.db.transaction('*', (tx) => listEmails(tx, deps, page)), page)
      return { emails: itens, ...rest }
    }),
  ]
}
