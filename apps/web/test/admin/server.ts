import '#test/dashboard/fake-socket.ts'
import { PRESET_DO_PLANO } from '@balcao/contract/constants'
import type { AdminConfiguracoes, AdminStats, Atividade, SentEmail } from '@balcao/contract/entities/admin'
import type { Ato } from '@balcao/contract/entities/auditoria'
import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { type FakeAnswer, type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { openApp, storeSession, makeUsuario } from '#test/render.tsx'

export function makeUsuarioAdmin(id: string, name: string, fields: Partial<UsuarioAdmin> = {}): UsuarioAdmin {
  const status = fields.status ?? 'ativo'
  return {
    ...makeUsuario({
      id,
      contaId: `conta-${id}`,
      nome: name,
      email: `${id}@loja.com.br`,
      status,
      ativo: status === 'ativo',
    }),
    mensagensHoje: 0,
    percentualUso: 0,
    mensagemesTotalMes: 0,
    botConectado: false,
    conexao: '',
    recursos: { iaPermitida: true, opcoesMenuMaximo: null },
    limiteLinhas: 3,
    segundoFator: false,
    ...fields,
  }
}

export const SELF = makeUsuarioAdmin('eu', 'Administrador', { tipo: 'admin', empresa: '' })

export function makeAct(fields: Partial<Ato> = {}): Ato {
  return {
    id: crypto.randomUUID(),
    em: '2026-03-10T15:00:00.000Z',
    acao: 'entrar',
    resultado: 'feito',
    quem: { id: 'bia', nome: 'Bia Alves', email: 'bia@loja.com.br' },
    alvo: null,
    ip: '203.0.113.7',
    detalhe: '',
    ...fields,
  }
}

export interface AdminServer {
  usuarios: UsuarioAdmin[]
  stats: AdminStats
  settings: AdminConfiguracoes
  emails: SentEmail[]
  deleted: UsuarioAdmin[]
  activities: Atividade[]
  acts: Ato[]
  sistema: SistemaAdmin
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

export const SISTEMA: SistemaAdmin = {
  em: '2026-03-10T15:00:00.000Z',
  noArS: 274_200,
  nos: [
    {
      id: 'n1',
      nome: 'servidor-de-producao · 4242',
      este: true,
      versao: 'v2.0.0',
      iniciadoEm: '2026-03-07T10:50:00.000Z',
      vistoEm: '2026-03-10T14:59:50.000Z',
      memoriaBytes: 188_743_680,
      cpuPercentual: 12.5,
      ...{ bots: 33, saindo: false, ultimoRecadoS: null, arquivosCompartilhados: false },
    },
  ],
  botsPorNoMaximo: null,
  recados: { recebidos: 0, lacunas: 0 },
  versoes: {
    produto: 'v2.0.0',
    node: 'v24.21.0',
    postgres: '18.4',
    migracao: '0066_nos_e_copias.sql',
    conectores: [{ nome: 'baileys', versao: '7.0.0-rc14' }],
  },
  bots: {
    porStatus: [
      { status: 'CONECTADO', quantos: 31 },
      { status: 'ERRO', quantos: 2 },
    ],
    semDono: 0,
  },
  contas: { vivas: 48, excluidas: 1 },
  banco: { bytes: 1_610_612_736, conexoes: 9 },
  arquivos: { quantos: 1250, bytes: 734_003_200 },
  disco: { livreBytes: 96_636_764_160, totalBytes: 128_849_018_880 },
  memoria: { processoBytes: 188_743_680, usadaBytes: 3_221_225_472, totalBytes: 8_589_934_592 },
  cpuPercentual: 34.2,
  tempoRespostaS: 0.018,
  fila: { mensagens: 4, maisAntigaS: 6.4, perguntasIa: 1 },
  emails: { servidor: true, esperando: 2, falharam: 1 },
  ultimaCopia: null,
  copias: null,
  restauracao: null,
}

export interface AdminTestApp {
  readonly api: FakeApi
  readonly server: AdminServer
  readonly close: () => void
}

function patchUsuario(server: AdminServer, id: string, fields: Partial<UsuarioAdmin>): FakeAnswer {
  const old = server.usuarios.find((usuario) => usuario.id === id)
  if (old === undefined) return refusal(404, 'naoEncontrado', 'Não encontrado')
  const usuario = { ...old, ...fields }
  server.usuarios = server.usuarios.map((other) => (other.id === id ? usuario : other))
  return ok({ usuario })
}

/** Registers one route per account, because the fake API matches paths, not patterns. */
function serveUsuario(api: FakeApi, server: AdminServer, id: string): void {
  const base = `/admin/usuarios/${id}`
  const doCorpo = (body: unknown, nome: string): unknown => Reflect.get(Object(body), nome)
  api.on(`PUT ${base}/status`, ({ body }) => {
    const ativo = doCorpo(body, 'ativo') === true
    return patchUsuario(server, id, { ativo, status: ativo ? 'ativo' : 'inativo' })
  })
  api.on(`DELETE ${base}`, () => {
    const sai = server.usuarios.filter((usuario) => usuario.id === id)
    const quando = { excluidoEm: '2026-03-10T15:00:00.000Z', apagaEm: '2026-04-09T15:00:00.000Z' }
    server.deleted.push(...sai.map((usuario) => ({ ...usuario, ...quando })))
    server.usuarios = server.usuarios.filter((usuario) => usuario.id !== id)
    return ok({ sucesso: true })
  })
  api.on(`POST ${base}/restaurar`, () => {
    const volta = server.deleted.find((other) => other.id === id)
    if (volta === undefined) return refusal(409, 'naoExcluido', 'Este usuário não está excluído.')
    const { excluidoEm: _em, apagaEm: _apaga, ...usuario } = volta
    server.deleted = server.deleted.filter((other) => other.id !== id)
    server.usuarios.push(usuario)
    return ok({ usuario })
  })
  api.on(`GET ${base}/estatisticas`, () => {
    const usuario = server.usuarios.find((other) => other.id === id) ?? SELF
    const { mensagensHoje, limiteMensagensDia, percentualUso, mensagemesTotalMes, componentesPermitidos } = usuario
    const uso = { mensagensHoje, limiteDiario: limiteMensagensDia, percentualUso, mensagemesTotalMes }
    return ok({ sucesso: true, estatisticas: { ...uso, componentesPermitidos, estatisticas: { mensagensHoje } } })
  })
  api.on(`POST ${base}/limite-mensagens`, ({ body }) =>
    patchUsuario(server, id, { limiteMensagensDia: Number(doCorpo(body, 'limiteMensagensDia')) }),
  )
  api.on(`POST ${base}/limite-linhas`, ({ body }) =>
    patchUsuario(server, id, { limiteLinhas: Number(doCorpo(body, 'limiteLinhas')) }),
  )
  api.on(`POST ${base}/permissoes`, ({ body }) =>
    patchUsuario(server, id, {
      componentesPermitidos: { ...SELF.componentesPermitidos, ...Object(doCorpo(body, 'componentesPermitidos')) },
    }),
  )
  api.on(`POST ${base}/reset-contador`, () => patchUsuario(server, id, { mensagensHoje: 0, percentualUso: 0 }))
  api.on(`PUT ${base}/plano`, ({ body }) => {
    const plano = doCorpo(body, 'plano') === 'doacao' ? 'doacao' : 'gratuito'
    const { limiteMensagensDia, limiteLinhas, ia: iaPermitida, opcoesMenuMaximo } = PRESET_DO_PLANO[plano]
    return patchUsuario(server, id, {
      plano,
      limiteMensagensDia,
      limiteLinhas,
      recursos: { iaPermitida, opcoesMenuMaximo },
    })
  })
}

export function openAdmin(url: string, initial: Partial<AdminServer> = {}): AdminTestApp {
  const servidor: AdminServer = {
    usuarios: [],
    stats: STATS,
    settings: {
      limiteUsuariosPorPlano: 100,
      mensagensPorDia: 1000,
      permitirAutoRegistro: true,
      notificacoesEmail: true,
      suporteWhatsapp: '',
      exigirSegundoFatorAdmin: false,
      politicaSenha: 'padrao',
      recusarComuns: false,
    },
    emails: [],
    deleted: [],
    activities: [],
    acts: [],
    sistema: SISTEMA,
    ...initial,
  }
  const api = fakeApi({
    'GET /auth/eu': () => ok({ usuario: SELF }),
    'POST /auth/logout': () => ({ status: 204 }),
    'GET /admin/stats': () => ok(servidor.stats),
    'GET /admin/emails': () => ok({ emails: servidor.emails }),
    'GET /admin/configuracoes': () => ok(servidor.settings),
    'GET /admin/tarifas': () => ok({ tarifas: [] }),
    'GET /admin/atividade': () => ok({ atividades: servidor.activities }),
    'GET /admin/auditoria': ({ url }) => {
      const action = url.searchParams.get('acao')
      const quem = url.searchParams.get('quem') ?? ''
      const atos = servidor.acts.filter(
        (act) =>
          (action === null || act.acao === action) &&
          `${act.quem?.nome} ${act.quem?.email} ${act.alvo?.nome} ${act.ip}`.toLowerCase().includes(quem.toLowerCase()),
      )
      return ok({ atos })
    },
    'GET /admin/sistema': () => ok(servidor.sistema),
    'GET /admin/usuarios': ({ url }) => {
      const search = url.searchParams.get('busca')?.toLowerCase() ?? ''
      const status = url.searchParams.get('status')
      const lista = status === 'excluido' ? servidor.deleted : servidor.usuarios
      const usuarios = lista.filter(
        (usuario) =>
          usuario.nome.toLowerCase().includes(search) &&
          (status === null || status === 'excluido' || usuario.status === status),
      )
      return ok({ usuarios, total: usuarios.length })
    },
  })
  for (const { id } of [...servidor.usuarios, ...servidor.deleted]) serveUsuario(api, servidor, id)
  storeSession(SELF)
  const fechar = openApp(url)
  return {
    api,
    server: servidor,
    close: () => {
      fechar()
      api.restore()
    },
  }
}
