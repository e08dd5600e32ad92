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
  limiteMensagensRoute,
  permissoesUsuarioRoute,
  planoUsuarioRoute,
  resetContadorRoute,
  restaurarUsuarioRoute,
  statusPedido,
  usuariosRoute,
} from '@balcao/contract/routes/admin-usuarios'
import type { QueryOf } from '@balcao/contract/define-route'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { usuarioEstatisticasRoute } from '@balcao/contract/routes/usuario'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { getAdminConfiguracoes, toUsuario } from '#modules/auth/index.ts'
import { listEmails } from '#modules/emails/index.ts'
import { listAtividades } from './atividades.ts'
import { alterarLimite } from './alterar-limite.ts'
import { alterarPermissoes } from './alterar-permissoes.ts'
import { alterarStatus } from './alterar-status.ts'
import { aplicarPlano } from './aplicar-plano.ts'
import { criarUsuario } from './criar-usuario.ts'
import { excluirUsuario } from './excluir-usuario.ts'
import { readStats } from './numeros.ts'
import { countUsuarios, listUsuarios, type PaginaUsuarios } from './listar-usuarios.ts'
import { getUsuarioAdmin, getUsuarioComUso, toEstatisticas } from './repository.ts'
import { resetarContador } from './resetar-contador.ts'
import { restaurarUsuario } from './restaurar-usuario.ts'
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
    bind(usuariosRoute, ({ query }) => lerLista(deps, query)),
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

async function lerLista(
  deps: Pick<Deps, 'db' | 'clock'>,
  query: QueryOf<typeof usuariosRoute>,
): Promise<{ usuarios: UsuarioAdmin[]; total: number; proximoCursor?: string }> {
  const { busca = '', status = null, limite = USUARIOS_POR_PAGINA, pagina = 1 } = query
  const numerada = query.ordem !== undefined || query.pagina !== undefined
  const { ordem = 'cadastro', direcao = 'desc' } = query
  const qual: PaginaUsuarios = numerada ? { ordem, direcao, pagina, limite } : pageOf(query, USUARIOS_POR_PAGINA)
  return deps.db.read('*', async (tx) => {
    const filtro = { busca, status }
    const total = await countUsuarios(tx, filtro)
    const lidos = await listUsuarios(tx, deps.clock.now(), filtro, qual)
    if ('ordem' in qual) return { usuarios: lidos.slice(0, limite), total }
    const { itens, ...resto } = cutPage(lidos, qual)
    return { usuarios: itens, total, ...resto }
  })
}

function changeRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [
    bind(criarUsuarioRoute, async ({ sessao, body }) => ({ usuario: await criarUsuario(deps, sessao, body) })),
    bind(alterarStatusUsuarioRoute, async ({ sessao, params, body }) => ({
      usuario: await alterarStatus(deps, sessao, params.id, statusPedido(body)),
    })),
    bind(excluirUsuarioRoute, async ({ sessao, params }) => {
      await excluirUsuario(deps, sessao, params.id)
      return { sucesso: true as const }
    }),
    bind(limiteMensagensRoute, async ({ sessao, params, body }) => ({
      usuario: await alterarLimite(deps, sessao, params.id, body.limiteMensagensDia),
    })),
    bind(permissoesUsuarioRoute, async ({ sessao, params, body }) => ({
      usuario: await alterarPermissoes(deps, sessao, params.id, body.componentesPermitidos),
    })),
    bind(planoUsuarioRoute, async ({ sessao, params, body }) => ({
      usuario: await aplicarPlano(deps, sessao, params.id, body.plano),
    })),
    bind(restaurarUsuarioRoute, async ({ sessao, params }) => ({
      usuario: await restaurarUsuario(deps, sessao, params.id),
    })),
    bind(resetContadorRoute, async ({ sessao, params }) => ({
      usuario: await resetarContador(deps, sessao, params.id),
    })),
  ]
}

function settingsRoutes(deps: UsuariosDeps): BoundRoute[] {
  return [
    bind(adminStatsRoute, () => readStats(deps)),
    bind(adminAtividadeRoute, async () => ({ atividades: await deps.db.read('*', listAtividades) })),
    bind(adminConfiguracoesRoute, () => deps.db.transaction('*', getAdminConfiguracoes)),
    bind(salvarAdminConfiguracoesRoute, ({ sessao, body }) => salvarConfiguracoes(deps, sessao, body)),
    bind(adminEmailsRoute, async ({ query }) => {
      const pagina = pageOf(query, EMAILS_POR_PAGINA)
      const { itens, ...resto } = cutPage(await deps.db.transaction('*', (tx) => listEmails(tx, deps, pagina)), pagina)
      return { emails: itens, ...resto }
    }),
  ]
}
