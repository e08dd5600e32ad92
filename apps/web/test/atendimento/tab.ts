import { filesAndLinksOf } from '@balcao/contract/text/mensagem-summary'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { mayReadConversa, readerOf } from '@balcao/contract/conversa-access'
import type { Contagens } from '@balcao/contract/entities/contagens'
import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import type { NotaConversa } from '@balcao/contract/entities/nota'
import type { Atendente } from '@balcao/contract/entities/operador'
import { defaultConfig } from '@balcao/contract/defaults'
import { afterEach, expect } from 'vitest'
import { page } from 'vitest/browser'
import { type FakeRequest, ok, refusal } from '#test/fake-api.ts'
import { makeConversa, makeConversas, makeMensagem, makeSentMensagem } from './sample-conversas.ts'
import { CONTA_ID, openPanel, type PanelTestApp, type PanelServer } from '#test/dashboard/panel.tsx'

/** The tab atendimento over a fake server that keeps its conversas and emits every change by socket. */

export interface ConversaServer {
  open: Conversa[]
  finished: Conversa[]
  setores: Setor[]
  /** By conversa, newest first. */
  notas: Readonly<Record<string, readonly NotaConversa[]>>
  etiquetas: Etiqueta[]
  /** Conversas with a mention of the person that is unread. */
  mencoes: string[]
  atendentes: Atendente[]
}

export interface AtendimentoTestApp extends PanelTestApp {
  readonly conversaServer: ConversaServer
}

function bodyField(body: unknown, name: string): string {
  if (typeof body !== 'object' || body === null) return ''
  const value: unknown = new Map(Object.entries(body)).get(name)
  return typeof value === 'string' ? value : ''
}

function findOpen(server: ConversaServer, id: string): Conversa | undefined {
  return server.open.find((uma) => uma.id === id)
}

/** A page of 50 messages from the end. The cursor is the number of messages already given. */
export function mensagemPageOf(mensagens: readonly Mensagem[], { url }: FakeRequest) {
  const dadas = Number(url.searchParams.get('cursor') ?? 0)
  const limite = Number(url.searchParams.get('limite') ?? 50)
  const fim = mensagens.length - dadas
  const start = Math.max(0, fim - limite)
  const pagina = mensagens.slice(start, fim)
  return start === 0 ? { mensagens: pagina } : { mensagens: pagina, proximoCursor: String(dadas + pagina.length) }
}

/** The real server answers an operador as if other setores had no conversas. */
function mayRead({ server: { usuario } }: PanelTestApp, conversa: Conversa): boolean {
  return mayReadConversa(readerOf(usuario), conversa)
}

export function serveConversa(painel: PanelTestApp, server: ConversaServer, id: string): void {
  const { api } = painel
  const estaAgora = (): Conversa | undefined =>
    [...server.open, ...server.finished].find((uma) => uma.id === id && mayRead(painel, uma))
  const semConversa = refusal(404, 'naoEncontrado', 'Conversa não encontrada.')
  api.on(`GET /atendimento/conversas/${id}`, () => {
    const agora = estaAgora()
    return agora === undefined ? semConversa : ok({ conversa: agora })
  })
  api.on(`GET /atendimento/conversas/${id}/cliente`, () =>
    ok({ anteriores: [], totalAnteriores: 0, avaliacoes: { total: 0, notaMedia: null } }),
  )
  api.on(`GET /atendimento/conversas/${id}/arquivos`, () =>
    ok({ itens: estaAgora()?.mensagens.toReversed().flatMap(filesAndLinksOf) ?? [] }),
  )
  api.on(`GET /atendimento/conversas/${id}/agendadas`, () => ok({ agendadas: [] }))
  api.on('GET /operadores/eu/disponibilidade', () => ok({ disponivel: true, automatica: false }))
  api.on(`GET /atendimento/conversas/${id}/notas`, () => ok({ notas: server.notas[id] ?? [], proximoCursor: null }))
  api.on(`GET /atendimento/conversas/${id}/mensagens`, (request) => {
    const agora = estaAgora()
    return agora === undefined ? semConversa : ok(mensagemPageOf(agora.mensagens, request))
  })
  for (const act of ['leitura', 'lembrar', 'fixar']) {
    api.on(`PUT /atendimento/conversas/${id}/${act}`, () => ({ status: 204 }))
  }
  let before: Conversa | undefined
  const change = (campos: Partial<Conversa>): Conversa => {
    before = findOpen(server, id)
    const fresh = { ...(before ?? makeConversa({ id })), ...campos }
    server.open = server.open.map((uma) => (uma.id === id ? fresh : uma))
    return fresh
  }
  const remove = (): Conversa => {
    const fim = change({ status: 'finalizada', finalizadaEm: new Date().toISOString() })
    server.open = server.open.filter((uma) => uma.id !== id)
    server.finished = [fim, ...server.finished]
    fakeSocket.emit('conversaFinalizada', { userId: CONTA_ID, conversaId: id })
    return fim
  }
  api.on(`POST /atendimento/conversas/${id}/assumir`, () => {
    const fresh = change({ status: 'em_atendimento', operadorId: 'u1', operador: 'Ana Ribeiro', naoLidas: 0 })
    const data = { userId: CONTA_ID, conversaId: id, operadorId: 'u1', operador: 'Ana Ribeiro' }
    fakeSocket.emit('conversaAssumida', data)
    return ok({ conversa: fresh })
  })
  api.on(`POST /atendimento/conversas/${id}/finalizar`, () => ok({ conversa: remove() }))
  api.on(`POST /atendimento/conversas/${id}/desfazer`, () => {
    if (before === undefined) return refusal(409, 'desfazerVencido', 'Não dá mais para desfazer.')
    const conversa = before
    server.finished = server.finished.filter((uma) => uma.id !== id)
    server.open = [...server.open.filter((uma) => uma.id !== id), conversa]
    fakeSocket.emit('conversaReaberta', { userId: CONTA_ID, conversa })
    return ok({ conversa })
  })
  api.on(`POST /atendimento/conversas/${id}/devolver`, () => ok({ conversa: remove() }))
  api.on(`POST /atendimento/conversas/${id}/transferir`, ({ body }) => {
    before = findOpen(server, id)
    const { operador: _o, operadorId: _i, ...rest } = before ?? makeConversa({ id })
    const fresh: Conversa = { ...rest, setor: bodyField(body, 'setor'), status: 'aguardando' }
    server.open = server.open.map((uma) => (uma.id === id ? fresh : uma))
    fakeSocket.emit('conversaTransferida', { userId: CONTA_ID, conversaId: id, novoSetor: fresh.setor })
    return ok({ conversa: fresh })
  })
  api.on(`POST /atendimento/conversas/${id}/mensagem`, ({ body }) => {
    const fresh = makeSentMensagem(bodyField(body, 'mensagem'))
    const idTemporario = bodyField(body, 'idTemporario')
    change({ mensagens: [...(findOpen(server, id)?.mensagens ?? []), fresh] })
    fakeSocket.emit('mensagemConversaHumana', { userId: CONTA_ID, conversaId: id, mensagem: fresh, idTemporario })
    return ok({ mensagem: fresh, conversaId: id, idTemporario })
  })
}

const byActivity = (a: Conversa, b: Conversa): number =>
  Date.parse(b.ultimaAtividade) - Date.parse(a.ultimaAtividade) || b.id.localeCompare(a.id)

/** Those without an answer first, longest first. */
function byTurn(a: Conversa, b: Conversa): number {
  const [one, other] = [a, b].map(({ semRespostaDesde }) => semRespostaDesde ?? '')
  if (one === '' || other === '') return Number(one === '') - Number(other === '') || byActivity(a, b)
  return one === other ? a.id.localeCompare(b.id) : Date.parse(one ?? '') - Date.parse(other ?? '')
}

function contagensOf({ open, mencoes }: ConversaServer, usuarioId: string): Contagens {
  const mine = open.filter(({ operadorId }) => operadorId === usuarioId)
  const [longest, ...others] = open.filter(({ status }) => status === 'aguardando').toSorted(byTurn)
  return {
    minhas: mine.length,
    minhasSemResposta: mine.filter(({ semRespostaDesde }) => semRespostaDesde !== undefined).length,
    fila: longest === undefined ? 0 : others.length + 1,
    mencoes: mencoes.length,
    todas: open.length,
    ...(longest === undefined ? {} : { esperaMaisLonga: { conversaId: longest.id, desde: longest.aguardandoDesde } }),
  }
}

function listConversas({ open, finished, mencoes }: ConversaServer, usuarioId: string, { url }: FakeRequest) {
  const {
    status,
    visao,
    linha: asked,
    busca = '',
    mensagens = 100,
    limite = 100,
    cursor = 0,
  } = Object.fromEntries(url.searchParams)
  const nome = busca.toLowerCase()
  const all = (status === 'finalizada' ? finished : open)
    .filter((uma) => status !== 'aguardando' || uma.status === status)
    .filter(({ linha }) => asked === undefined || linha?.id === asked)
    .filter(({ cliente }) => cliente.nome.toLowerCase().includes(nome))
    .filter(({ status: now }) => visao !== 'fila' || now === 'aguardando')
    .filter(({ operadorId }) => visao !== 'minhas' || operadorId === usuarioId)
    .filter(({ id }) => visao !== 'mencoes' || mencoes.includes(id))
    .filter(({ semRespostaDesde }) => visao !== 'semResposta' || semRespostaDesde !== undefined)
    .toSorted(visao === undefined ? byActivity : byTurn)
  const fim = Number(cursor) + Number(limite)
  const conversas = all
    .slice(Number(cursor), fim)
    .map((uma) => ({ ...uma, mensagens: Number(mensagens) === 0 ? [] : uma.mensagens.slice(-Number(mensagens)) }))
  return fim < all.length ? { conversas, proximoCursor: String(fim) } : { conversas }
}

function atendimentoStats({ open, setores }: ConversaServer) {
  const esperam = open.filter(({ status }) => status === 'aguardando')
  const porSetor = setores.map(({ id }) => ({
    setor: id,
    total: open.filter(({ setor }) => setor === id).length,
    aguardando: esperam.filter(({ setor }) => setor === id).length,
  }))
  const total = open.length
  const emAtendimento = total - esperam.length
  const aguardando = esperam.length
  return { total, aguardando, emAtendimento, finalizadasHoje: 0, tempoMedioRespostaMs: null, porSetor }
}

export function openAtendimento(
  initial: Partial<ConversaServer> = {},
  url = '/dashboard?aba=atendimento',
  server: Partial<PanelServer> = {},
): AtendimentoTestApp {
  const queue: ConversaServer = {
    open: makeConversas(),
    finished: [],
    notas: {},
    etiquetas: [],
    mencoes: [],
    atendentes: [],
    setores: defaultConfig().atendimento.setores,
    ...initial,
  }
  const painel = openPanel(url, server)
  const readable = (): ConversaServer => {
    const [abertas, finished] = [queue.open, queue.finished].map((list) => list.filter((uma) => mayRead(painel, uma)))
    return { ...queue, open: abertas ?? [], finished: finished ?? [] }
  }
  painel.api.on('GET /atendimento/conversas', (request) =>
    ok(listConversas(readable(), painel.server.usuario.id, request)),
  )
  painel.api.on('GET /atendimento/contagens', () => ok(contagensOf(readable(), painel.server.usuario.id)))
  painel.api.on('GET /atendimento/revisoes', ({ url }) => {
    const since = url.searchParams.get('desde') ?? ''
    const open = readable().open.filter(({ ultimaAtividade }) => ultimaAtividade >= since)
    return ok({ total: open.length, revisoes: open.reduce((sum, { revisao = 0 }) => sum + revisao, 0) })
  })
  painel.api.on('GET /etiquetas', () => ok({ etiquetas: queue.etiquetas, proximoCursor: null }))
  painel.api.on('GET /atendimento/atendentes', () => ok({ atendentes: queue.atendentes }))
  painel.api.on('GET /atendimento/setores', () => ok({ setores: queue.setores }))
  painel.api.on('GET /atendimento/estatisticas', () => ok(atendimentoStats(readable())))
  for (const { id } of [...queue.open, ...queue.finished]) serveConversa(painel, queue, id)
  return { ...painel, conversaServer: queue }
}

/**
 * Returns a function that opens the tab and closes the previous one. After each test it closes the tab, restores
 * the viewport and runs the given cleanup.
 */
export function setupAtendimento(cleanup: () => void = () => undefined): typeof openAtendimento {
  let close = (): void => undefined
  afterEach(async () => {
    close()
    close = () => undefined
    cleanup()
    await page.viewport(1366, 800)
  })
  return (...input) => {
    close()
    const aberto = openAtendimento(...input)
    close = aberto.unmount
    return aberto
  }
}

/** A gate that holds an answer until the test opens it. */
export function createGate(): { readonly wait: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { wait: promise, open: resolve }
}

/** Waits for the socket: events sent earlier are lost. */
export async function waitForSocket(): Promise<void> {
  await expect.element(page.getByRole('banner').getByText('Online', { exact: true })).toBeVisible()
}

export function emitCustomerMensagem(conversaId: string, fields: Partial<Mensagem>): void {
  const fresh = makeMensagem({ timestamp: new Date().toISOString(), ...fields })
  fakeSocket.emit('mensagemConversaHumana', { userId: CONTA_ID, conversaId, mensagem: fresh })
}

/** The filters are closed until a person opens them. */
export async function openFilters(): Promise<void> {
  const toggle = page.getByRole('button', { name: /^(Filtros|Buscar e filtrar)/ })
  await expect.element(toggle).toBeVisible()
  if (toggle.element().getAttribute('aria-expanded') !== 'true') await toggle.click()
}

/** The tab of a view, by its name without the number. */
export const viewTab = (name: string) =>
  page.getByRole('group', { name: 'Visões' }).getByRole('button', { name: new RegExp(`^${name}`) })

export const button = (name: string) => page.getByRole('button', { name: name, exact: true })
export const conversaList = page.getByRole('list', { name: 'Conversas' })
/** The part of the list that scrolls. */
export const listFrame = (): Element => conversaList.element().closest('.overflow-y-auto') ?? document.body
export const conversaRow = (name: string) => conversaList.getByRole('link', { name: new RegExp(name) })
export const chat = page.getByRole('log', { name: 'Mensagens' })
export const openName = (name: string) => page.getByRole('heading', { level: 2, name: name })
export const composer = page.getByRole('textbox', { name: /^Mensagem para/ })
export const searchBox = page.getByRole('searchbox', { name: 'Buscar por nome, telefone ou @nome' })
export const aviso = (text: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(text)

export function listedNames(): string[] {
  return conversaList
    .getByRole('link')
    .elements()
    .map((um) => um.querySelector('b')?.textContent ?? '')
}

export function sentBodies({ api }: PanelTestApp, route: string): unknown[] {
  return api.calls.filter((call) => call.route === route).map(({ body }) => body)
}
