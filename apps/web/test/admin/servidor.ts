import '#test/dashboard/fake-socket.ts'
import type { AdminConfiguracoes, AdminStats, EmailEnviado } from '@balcao/contract/entities/admin'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { type FakeAnswer, type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { openApp, storeSession, umUsuario } from '#test/render.tsx'

/** A server with a few accounts, for the administrator's screens. */

export function umaConta(id: string, nome: string, campos: Partial<UsuarioAdmin> = {}): UsuarioAdmin {
  const status = campos.status ?? 'ativo'
  return {
    ...umUsuario({ id, contaId: `conta-${id}`, nome, email: `${id}@loja.com.br`, status, ativo: status === 'ativo' }),
    mensagensHoje: 0,
    percentualUso: 0,
    mensagemesTotalMes: 0,
    botConectado: false,
    ...campos,
  }
}

export const EU = umaConta('eu', 'Administrador', { tipo: 'admin', empresa: '' })

export interface Servidor {
  usuarios: UsuarioAdmin[]
  stats: AdminStats
  configuracoes: AdminConfiguracoes
  emails: EmailEnviado[]
}

const STATS: AdminStats = {
  totalUsuarios: 12,
  usuariosAtivos: 9,
  botsAtivos: 3,
  mensagensHoje: 4321,
  mensagensSemana: 20_150,
  tendencias: { totalUsuarios: 9.1, usuariosAtivos: 0, botsAtivos: -25, mensagensHoje: null },
  tendenciasSemana: { totalUsuarios: 20, usuariosAtivos: 12.5, mensagens: -4.2 },
}

export interface Aberto {
  readonly api: FakeApi
  readonly servidor: Servidor
  readonly fechar: () => void
}

function alterar(servidor: Servidor, id: string, campos: Partial<UsuarioAdmin>): FakeAnswer {
  const antigo = servidor.usuarios.find((usuario) => usuario.id === id)
  if (antigo === undefined) return refusal(404, 'naoEncontrado', 'Não encontrado')
  const usuario = { ...antigo, ...campos }
  servidor.usuarios = servidor.usuarios.map((outro) => (outro.id === id ? usuario : outro))
  return ok({ usuario })
}

/** One route for each account there is: the fake knows paths, not patterns. */
function rotasDe(api: FakeApi, servidor: Servidor, id: string): void {
  const base = `/admin/usuarios/${id}`
  const doCorpo = (body: unknown, nome: string): unknown => Reflect.get(Object(body), nome)
  api.on(`PUT ${base}/status`, ({ body }) => {
    const ativo = doCorpo(body, 'ativo') === true
    return alterar(servidor, id, { ativo, status: ativo ? 'ativo' : 'inativo' })
  })
  api.on(`DELETE ${base}`, () => {
    servidor.usuarios = servidor.usuarios.filter((usuario) => usuario.id !== id)
    return ok({ sucesso: true })
  })
  api.on(`GET ${base}/estatisticas`, () => {
    const usuario = servidor.usuarios.find((outro) => outro.id === id) ?? EU
    const { mensagensHoje, limiteMensagensDia, percentualUso, mensagemesTotalMes, componentesPermitidos } = usuario
    const uso = { mensagensHoje, limiteDiario: limiteMensagensDia, percentualUso, mensagemesTotalMes }
    return ok({ sucesso: true, estatisticas: { ...uso, componentesPermitidos, estatisticas: { mensagensHoje } } })
  })
  api.on(`POST ${base}/limite-mensagens`, ({ body }) =>
    alterar(servidor, id, { limiteMensagensDia: Number(doCorpo(body, 'limiteMensagensDia')) }),
  )
  api.on(`POST ${base}/permissoes`, ({ body }) =>
    alterar(servidor, id, {
      componentesPermitidos: { ...EU.componentesPermitidos, ...Object(doCorpo(body, 'componentesPermitidos')) },
    }),
  )
  api.on(`POST ${base}/reset-contador`, () => alterar(servidor, id, { mensagensHoje: 0, percentualUso: 0 }))
  api.on(`PUT ${base}/plano`, () => alterar(servidor, id, { plano: 'doacao', limiteMensagensDia: 777 }))
}

/** Opens the panel as an administrator. */
export function abrirAdmin(endereco: string, inicial: Partial<Servidor> = {}): Aberto {
  const servidor: Servidor = {
    usuarios: [],
    stats: STATS,
    configuracoes: {
      limiteUsuariosPorPlano: 100,
      mensagensPorDia: 1000,
      permitirAutoRegistro: true,
      notificacoesEmail: true,
    },
    emails: [],
    ...inicial,
  }
  const api = fakeApi({
    'GET /auth/eu': () => ok({ usuario: EU }),
    'POST /auth/logout': () => ({ status: 204 }),
    'GET /admin/stats': () => ok(servidor.stats),
    'GET /admin/emails': () => ok({ emails: servidor.emails }),
    'GET /admin/configuracoes': () => ok(servidor.configuracoes),
    'GET /admin/usuarios': ({ url }) => {
      const busca = url.searchParams.get('busca')?.toLowerCase() ?? ''
      const status = url.searchParams.get('status')
      const usuarios = servidor.usuarios.filter(
        (usuario) => usuario.nome.toLowerCase().includes(busca) && (status === null || usuario.status === status),
      )
      return ok({ usuarios, total: usuarios.length })
    },
  })
  for (const { id } of servidor.usuarios) rotasDe(api, servidor, id)
  storeSession(EU)
  const fechar = openApp(endereco)
  return {
    api,
    servidor,
    fechar: () => {
      fechar()
      api.restore()
    },
  }
}
