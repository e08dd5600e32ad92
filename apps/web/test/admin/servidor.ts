import '#test/dashboard/fake-socket.ts'
import type { AdminConfiguracoes, AdminStats, Atividade, EmailEnviado } from '@balcao/contract/entities/admin'
import type { Ato } from '@balcao/contract/entities/auditoria'
import type { SistemaAdmin } from '@balcao/contract/entities/sistema-admin'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { type FakeAnswer, type FakeApi, fakeApi, ok, refusal } from '#test/fake-api.ts'
import { openApp, storeSession, umUsuario } from '#test/render.tsx'

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

export function umAto(campos: Partial<Ato> = {}): Ato {
  return {
    id: crypto.randomUUID(),
    em: '2026-03-10T15:00:00.000Z',
    acao: 'entrar',
    resultado: 'feito',
    quem: { id: 'bia', nome: 'Bia Alves', email: 'bia@loja.com.br' },
    alvo: null,
    ip: '203.0.113.7',
    detalhe: '',
    ...campos,
  }
}

export interface Servidor {
  usuarios: UsuarioAdmin[]
  stats: AdminStats
  configuracoes: AdminConfiguracoes
  emails: EmailEnviado[]
  excluidos: UsuarioAdmin[]
  atividades: Atividade[]
  atos: Ato[]
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
    },
  ],
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

/** Registers one route per account, because the fake API matches paths, not patterns. */
function rotasDe(api: FakeApi, servidor: Servidor, id: string): void {
  const base = `/admin/usuarios/${id}`
  const doCorpo = (body: unknown, nome: string): unknown => Reflect.get(Object(body), nome)
  api.on(`PUT ${base}/status`, ({ body }) => {
    const ativo = doCorpo(body, 'ativo') === true
    return alterar(servidor, id, { ativo, status: ativo ? 'ativo' : 'inativo' })
  })
  api.on(`DELETE ${base}`, () => {
    const sai = servidor.usuarios.filter((usuario) => usuario.id === id)
    const quando = { excluidoEm: '2026-03-10T15:00:00.000Z', apagaEm: '2026-04-09T15:00:00.000Z' }
    servidor.excluidos.push(...sai.map((usuario) => ({ ...usuario, ...quando })))
    servidor.usuarios = servidor.usuarios.filter((usuario) => usuario.id !== id)
    return ok({ sucesso: true })
  })
  api.on(`POST ${base}/restaurar`, () => {
    const volta = servidor.excluidos.find((outro) => outro.id === id)
    if (volta === undefined) return refusal(409, 'naoExcluido', 'Este usuário não está excluído.')
    const { excluidoEm: _em, apagaEm: _apaga, ...usuario } = volta
    servidor.excluidos = servidor.excluidos.filter((outro) => outro.id !== id)
    servidor.usuarios.push(usuario)
    return ok({ usuario })
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
    excluidos: [],
    atividades: [],
    atos: [],
    sistema: SISTEMA,
    ...inicial,
  }
  const api = fakeApi({
    'GET /auth/eu': () => ok({ usuario: EU }),
    'POST /auth/logout': () => ({ status: 204 }),
    'GET /admin/stats': () => ok(servidor.stats),
    'GET /admin/emails': () => ok({ emails: servidor.emails }),
    'GET /admin/configuracoes': () => ok(servidor.configuracoes),
    'GET /admin/atividade': () => ok({ atividades: servidor.atividades }),
    'GET /admin/auditoria': ({ url }) => {
      const acao = url.searchParams.get('acao')
      const quem = url.searchParams.get('quem') ?? ''
      const atos = servidor.atos.filter(
        (ato) =>
          (acao === null || ato.acao === acao) &&
          `${ato.quem?.nome} ${ato.quem?.email} ${ato.alvo?.nome} ${ato.ip}`.toLowerCase().includes(quem.toLowerCase()),
      )
      return ok({ atos })
    },
    'GET /admin/sistema': () => ok(servidor.sistema),
    'GET /admin/usuarios': ({ url }) => {
      const busca = url.searchParams.get('busca')?.toLowerCase() ?? ''
      const status = url.searchParams.get('status')
      const lista = status === 'excluido' ? servidor.excluidos : servidor.usuarios
      const usuarios = lista.filter(
        (usuario) =>
          usuario.nome.toLowerCase().includes(busca) &&
          (status === null || status === 'excluido' || usuario.status === status),
      )
      return ok({ usuarios, total: usuarios.length })
    },
  })
  for (const { id } of [...servidor.usuarios, ...servidor.excluidos]) rotasDe(api, servidor, id)
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
