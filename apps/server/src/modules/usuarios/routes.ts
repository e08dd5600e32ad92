import {
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
  limiteMensagensRoute,
  permissoesUsuarioRoute,
  planoUsuarioRoute,
  resetContadorRoute,
  statusPedido,
  usuariosRoute,
} from '@balcao/contract/routes/admin-usuarios'
import { usuarioEstatisticasRoute } from '@balcao/contract/routes/usuario'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { getAdminConfiguracoes, toUsuario } from '#modules/auth/index.ts'
import { listEmails } from '#modules/emails/index.ts'
import { alterarLimite } from './alterar-limite.ts'
import { alterarPermissoes } from './alterar-permissoes.ts'
import { alterarStatus } from './alterar-status.ts'
import { aplicarPlano } from './aplicar-plano.ts'
import { criarUsuario } from './criar-usuario.ts'
import { excluirUsuario } from './excluir-usuario.ts'
import { readStats } from './numeros.ts'
import { getUsuarioAdmin, getUsuarioComUso, listUsuarios, toEstatisticas } from './repository.ts'
import { resetarContador } from './resetar-contador.ts'
import { salvarConfiguracoes } from './salvar-configuracoes.ts'

const USUARIOS_POR_PAGINA = 200
const EMAILS_POR_PAGINA = 50

type UsuariosDeps = Pick<
  Deps,
  'db' | 'ids' | 'clock' | 'log' | 'cofre' | 'mailer' | 'settings' | 'realtime' | 'bots' | 'forgetSessions'
>

export function usuariosRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [...listRoutes(deps), ...changeRoutes(deps), ...settingsRoutes(deps)]
}

function listRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [
    bind(usuariosRoute, async ({ query }) => {
      const pagina = pageOf(query, USUARIOS_POR_PAGINA)
      const filtro = { busca: query.busca ?? '', status: query.status ?? null }
      const lidos = await deps.db.transaction('*', (tx) => listUsuarios(tx, deps.clock.now(), { ...pagina, ...filtro }))
      const { itens, ...resto } = cutPage(lidos, pagina)
      return { usuarios: itens, ...resto }
    }),
    bind(adminUsuarioEstatisticasRoute, async ({ params }) => {
      const lido = await deps.db.transaction('*', (tx) => getUsuarioAdmin(tx, deps.clock.now(), params.id))
      return { sucesso: true as const, estatisticas: toEstatisticas(lido) }
    }),
    bind(usuarioEstatisticasRoute, async ({ sessao: { contaId, usuarioId } }) => {
      const lido = await deps.db.transaction(contaId, (tx) =>
        getUsuarioComUso(tx, deps.clock.now(), contaId, usuarioId),
      )
      const { mensagensHoje, limiteDiario, percentualUso, mensagemesTotalMes } = toEstatisticas(lido)
      const uso = { limiteDiario, percentualUso, mensagemesTotalMes }
      return {
        sucesso: true as const,
        usuario: { ...toUsuario(lido), ...uso, estatisticas: { mensagensHoje, ...uso } },
      }
    }),
  ]
}

function changeRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [
    bind(criarUsuarioRoute, async ({ body }) => ({ usuario: await criarUsuario(deps, body) })),
    bind(alterarStatusUsuarioRoute, async ({ params, body }) => ({
      usuario: await alterarStatus(deps, params.id, statusPedido(body)),
    })),
    bind(excluirUsuarioRoute, async ({ params }) => {
      await excluirUsuario(deps, params.id)
      return { sucesso: true as const }
    }),
    bind(limiteMensagensRoute, async ({ params, body }) => ({
      usuario: await alterarLimite(deps, params.id, body.limiteMensagensDia),
    })),
    bind(permissoesUsuarioRoute, async ({ params, body }) => ({
      usuario: await alterarPermissoes(deps, params.id, body.componentesPermitidos),
    })),
    bind(planoUsuarioRoute, async ({ params, body }) => ({
      usuario: await aplicarPlano(deps, params.id, body.plano),
    })),
    bind(resetContadorRoute, async ({ params }) => ({ usuario: await resetarContador(deps, params.id) })),
  ]
}

function settingsRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [
    bind(adminStatsRoute, () => readStats(deps)),
    bind(adminConfiguracoesRoute, () => deps.db.transaction('*', getAdminConfiguracoes)),
    bind(salvarAdminConfiguracoesRoute, ({ body }) => salvarConfiguracoes(deps, body)),
    bind(adminEmailsRoute, async ({ query }) => {
      const pagina = pageOf(query, EMAILS_POR_PAGINA)
      const { itens, ...resto } = cutPage(await deps.db.transaction('*', (tx) => listEmails(tx, deps, pagina)), pagina)
      return { emails: itens, ...resto }
    }),
  ]
}
