import { socketDeMentira } from '../dashboard/fake-socket.ts'
import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { defaultConfig } from '@balcao/contract/defaults'
import { afterEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { type FakeRequest, ok, refusal } from '#test/fake-api.ts'
import { CONTA, montarPainel, type PainelDeTeste, type Servidor } from '../dashboard/painel.tsx'

/** The tab atendimento over a fake server that keeps its conversas and emits every change by socket. */

const MINUTO = 60_000

export const ha = (minutos: number): string => new Date(Date.now() - minutos * MINUTO).toISOString()

const DIA = 24 * 60 * MINUTO

/** Start of today in São Paulo, which is UTC−3 all year. */
const meiaNoite = (): number => Math.floor((Date.now() - DIA / 8) / DIA) * DIA + DIA / 8

/** The same, but never before midnight, so that the tests pass at any hour. */
const hojeHa = (minutos: number): string => new Date(Math.max(Date.now() - minutos * MINUTO, meiaNoite())).toISOString()

const ontemAoMeioDia = (): string => new Date(meiaNoite() - DIA / 2).toISOString()

export function mensagem(campos: Partial<Mensagem> = {}): Mensagem {
  return {
    id: `m-${crypto.randomUUID()}`,
    texto: 'Oi, bom dia!',
    remetente: 'Marina Duarte',
    timestamp: ha(3),
    tipo: 'recebida',
    origem: 'cliente',
    ...campos,
  }
}

export function conversa(campos: Partial<Conversa> & { nome?: string } = {}): Conversa {
  const { nome = 'Marina Duarte', ...resto } = campos
  const mensagens = resto.mensagens ?? [mensagem({ remetente: nome })]
  const ultima = mensagens.at(-1)
  return {
    id: 'c1',
    protocolo: '20261121-0001',
    setor: 'vendas',
    status: 'aguardando',
    cliente: { nome, telefone: '5511987654321' },
    ultimaAtividade: ultima?.timestamp ?? ha(3),
    iniciadoEm: ha(10),
    aguardandoDesde: ha(3),
    naoLidas: 0,
    teste: false,
    ...(ultima === undefined ? {} : { ultimaMensagem: { texto: ultima.texto, timestamp: ultima.timestamp } }),
    ...resto,
    mensagens,
  }
}

export function umaFila(): Conversa[] {
  return [
    conversa({
      naoLidas: 2,
      mensagens: [
        mensagem({ id: 'm1', timestamp: ontemAoMeioDia() }),
        mensagem({
          id: 'm2',
          texto: 'Olá! 👋 Bem-vinda à *Padaria Aurora*.',
          remetente: 'Bot',
          tipo: 'enviada',
          origem: 'bot',
          estado: 'lida',
          timestamp: hojeHa(4),
        }),
        mensagem({ id: 'm3', texto: 'Queria 10 dúzias de pão de queijo para sábado', timestamp: hojeHa(3) }),
        mensagem({ id: 'm4', texto: 'Vocês entregam na Vila Mariana?', timestamp: hojeHa(2) }),
      ],
    }),
    conversa({
      id: 'c2',
      nome: 'João Pedro Alves',
      cliente: { nome: 'João Pedro Alves', telefone: '5521912345678' },
      setor: 'suporte',
      status: 'em_atendimento',
      operadorId: 'u1',
      operador: 'Ana Ribeiro',
      mensagens: [
        mensagem({ id: 'j1', texto: 'Meu pedido não chegou', remetente: 'João Pedro Alves', timestamp: ha(12) }),
        mensagem({
          id: 'j2',
          texto: 'Oi, João! Já vou verificar.',
          remetente: 'Ana Ribeiro',
          tipo: 'enviada',
          origem: 'operador',
          estado: 'entregue',
          timestamp: ha(11),
        }),
      ],
    }),
    conversa({ id: 'c3', nome: 'Studio Bela Vista', setor: 'financeiro', aguardandoDesde: ha(24), naoLidas: 1 }),
    conversa({ id: 'c4', nome: 'Rafa', setor: 'geral', aguardandoDesde: ha(7) }),
  ]
}

export interface ServidorDeConversas {
  abertas: Conversa[]
  finalizadas: Conversa[]
  setores: Setor[]
}

export interface AtendimentoDeTeste extends PainelDeTeste {
  readonly fila: ServidorDeConversas
}

function campo(corpo: unknown, nome: string): string {
  if (typeof corpo !== 'object' || corpo === null) return ''
  const valor: unknown = new Map(Object.entries(corpo)).get(nome)
  return typeof valor === 'string' ? valor : ''
}

function acharPor(fila: ServidorDeConversas, id: string): Conversa | undefined {
  return fila.abertas.find((uma) => uma.id === id)
}

/** A page of 50 messages from the end. The cursor is the number of messages already given. */
export function paginaDe(mensagens: readonly Mensagem[], { url }: FakeRequest) {
  const dadas = Number(url.searchParams.get('cursor') ?? 0)
  const limite = Number(url.searchParams.get('limite') ?? 50)
  const fim = mensagens.length - dadas
  const inicio = Math.max(0, fim - limite)
  const pagina = mensagens.slice(inicio, fim)
  return inicio === 0 ? { mensagens: pagina } : { mensagens: pagina, proximoCursor: String(dadas + pagina.length) }
}

export function registrarConversa({ api }: PainelDeTeste, fila: ServidorDeConversas, id: string): void {
  const estaAgora = (): Conversa | undefined => acharPor(fila, id) ?? fila.finalizadas.find((uma) => uma.id === id)
  const semConversa = refusal(404, 'naoEncontrado', 'Conversa não encontrada.')
  api.on(`GET /atendimento/conversas/${id}`, () => {
    const agora = estaAgora()
    return agora === undefined ? semConversa : ok({ conversa: agora })
  })
  api.on(`GET /atendimento/conversas/${id}/cliente`, () =>
    ok({ anteriores: [], totalAnteriores: 0, avaliacoes: { total: 0, notaMedia: null } }),
  )
  api.on(`GET /atendimento/conversas/${id}/mensagens`, (pedido) => {
    const agora = estaAgora()
    return agora === undefined ? semConversa : ok(paginaDe(agora.mensagens, pedido))
  })
  const mudar = (campos: Partial<Conversa>): Conversa => {
    const nova = { ...(acharPor(fila, id) ?? conversa({ id })), ...campos }
    fila.abertas = fila.abertas.map((uma) => (uma.id === id ? nova : uma))
    return nova
  }
  const tirar = (): Conversa => {
    const fim = mudar({ status: 'finalizada', finalizadaEm: new Date().toISOString() })
    fila.abertas = fila.abertas.filter((uma) => uma.id !== id)
    fila.finalizadas = [fim, ...fila.finalizadas]
    socketDeMentira.emitir('conversaFinalizada', { userId: CONTA, conversaId: id })
    return fim
  }
  api.on(`POST /atendimento/conversas/${id}/assumir`, () => {
    const nova = mudar({ status: 'em_atendimento', operadorId: 'u1', operador: 'Ana Ribeiro', naoLidas: 0 })
    const dados = { userId: CONTA, conversaId: id, operadorId: 'u1', operador: 'Ana Ribeiro' }
    socketDeMentira.emitir('conversaAssumida', dados)
    return ok({ conversa: nova })
  })
  api.on(`POST /atendimento/conversas/${id}/finalizar`, () => ok({ conversa: tirar() }))
  api.on(`POST /atendimento/conversas/${id}/devolver`, () => ok({ conversa: tirar() }))
  api.on(`POST /atendimento/conversas/${id}/transferir`, ({ body }) => {
    const { operador: _o, operadorId: _i, ...resto } = acharPor(fila, id) ?? conversa({ id })
    const nova: Conversa = { ...resto, setor: campo(body, 'setor'), status: 'aguardando' }
    fila.abertas = fila.abertas.map((uma) => (uma.id === id ? nova : uma))
    socketDeMentira.emitir('conversaTransferida', { userId: CONTA, conversaId: id, novoSetor: nova.setor })
    return ok({ conversa: nova })
  })
  api.on(`POST /atendimento/conversas/${id}/mensagem`, ({ body }) => {
    const nova = enviada(campo(body, 'mensagem'))
    const idTemporario = campo(body, 'idTemporario')
    mudar({ mensagens: [...(acharPor(fila, id)?.mensagens ?? []), nova] })
    socketDeMentira.emitir('mensagemConversaHumana', { userId: CONTA, conversaId: id, mensagem: nova, idTemporario })
    return ok({ mensagem: nova, conversaId: id, idTemporario })
  })
}

export function enviada(texto: string, campos: Partial<Mensagem> = {}): Mensagem {
  return mensagem({
    texto,
    remetente: 'Ana Ribeiro',
    tipo: 'enviada',
    origem: 'operador',
    estado: 'pendente',
    timestamp: new Date().toISOString(),
    ...campos,
  })
}

function listar({ abertas, finalizadas }: ServidorDeConversas, { url }: FakeRequest) {
  const { status, busca = '', mensagens = 100, limite = 100, cursor = 0 } = Object.fromEntries(url.searchParams)
  const nome = busca.toLowerCase()
  const todas = (status === 'finalizada' ? finalizadas : abertas)
    .filter((uma) => status !== 'aguardando' || uma.status === status)
    .filter(({ cliente }) => cliente.nome.toLowerCase().includes(nome))
    .toSorted((a, b) => Date.parse(b.ultimaAtividade) - Date.parse(a.ultimaAtividade))
  const fim = Number(cursor) + Number(limite)
  const conversas = todas
    .slice(Number(cursor), fim)
    .map((uma) => ({ ...uma, mensagens: Number(mensagens) === 0 ? [] : uma.mensagens.slice(-Number(mensagens)) }))
  return fim < todas.length ? { conversas, proximoCursor: String(fim) } : { conversas }
}

function estatisticas({ abertas, setores }: ServidorDeConversas) {
  const esperam = abertas.filter(({ status }) => status === 'aguardando')
  const porSetor = setores.map(({ id }) => ({
    setor: id,
    total: abertas.filter(({ setor }) => setor === id).length,
    aguardando: esperam.filter(({ setor }) => setor === id).length,
  }))
  const total = abertas.length
  const emAtendimento = total - esperam.length
  const aguardando = esperam.length
  return { total, aguardando, emAtendimento, finalizadasHoje: 0, tempoMedioRespostaMs: null, porSetor }
}

export function abrirAtendimento(
  inicial: Partial<ServidorDeConversas> = {},
  endereco = '/dashboard?aba=atendimento',
  servidor: Partial<Servidor> = {},
): AtendimentoDeTeste {
  const fila: ServidorDeConversas = {
    abertas: umaFila(),
    finalizadas: [],
    setores: defaultConfig().atendimento.setores,
    ...inicial,
  }
  const painel = montarPainel(endereco, servidor)
  painel.api.on('GET /atendimento/conversas', (pedido) => ok(listar(fila, pedido)))
  painel.api.on('GET /atendimento/setores', () => ok({ setores: fila.setores }))
  painel.api.on('GET /atendimento/estatisticas', () => ok(estatisticas(fila)))
  for (const { id } of [...fila.abertas, ...fila.finalizadas]) registrarConversa(painel, fila, id)
  return { ...painel, fila }
}

/**
 * Returns a function that opens the tab and closes the previous one. After each test it closes the tab, restores
 * the viewport and runs the given cleanup.
 */
export function usarAtendimento(depois: () => void = () => undefined): typeof abrirAtendimento {
  let fechar = (): void => undefined
  afterEach(async () => {
    fechar()
    fechar = () => undefined
    depois()
    await page.viewport(1366, 800)
  })
  return (...entrada) => {
    fechar()
    const aberto = abrirAtendimento(...entrada)
    fechar = aberto.desmontar
    return aberto
  }
}

/** Waits for the socket: events sent earlier are lost. */
export async function esperarSocket(): Promise<void> {
  await expect.element(page.getByRole('banner').getByText('Online', { exact: true })).toBeVisible()
}

export function chegar(conversaId: string, campos: Partial<Mensagem>): void {
  const nova = mensagem({ timestamp: new Date().toISOString(), ...campos })
  socketDeMentira.emitir('mensagemConversaHumana', { userId: CONTA, conversaId, mensagem: nova })
}

export const botao = (nome: string) => page.getByRole('button', { name: nome, exact: true })
export const lista = page.getByRole('list', { name: 'Conversas' })
export const linha = (nome: string) => lista.getByRole('link', { name: new RegExp(nome) })
export const chat = page.getByRole('log', { name: 'Mensagens' })
export const nomeAberto = (nome: string) => page.getByRole('heading', { level: 2, name: nome })
export const compositor = page.getByRole('textbox', { name: /^Mensagem para/ })
export const busca = page.getByRole('searchbox', { name: 'Buscar por nome ou telefone' })
export const aviso = (dito: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(dito)

export function nomesNaLista(): string[] {
  return lista
    .getByRole('link')
    .elements()
    .map((um) => um.querySelector('b')?.textContent ?? '')
}

export function enviadas({ api }: PainelDeTeste, rota: string): unknown[] {
  return api.calls.filter(({ route }) => route === rota).map(({ body }) => body)
}
