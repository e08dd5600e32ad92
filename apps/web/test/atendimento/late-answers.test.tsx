import { fakeSocket } from '../dashboard/fake-socket.ts'
import type { Mensagem } from '@balcao/contract/entities/mensagem'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID, makeBotStatus } from '#test/dashboard/panel.tsx'
import { makeConversa, makeSentMensagem, minutesAgo, makeMensagem, makeConversas } from './sample-conversas.ts'
import {
  aviso,
  button,
  searchBox,
  chat,
  emitCustomerMensagem,
  composer,
  sentBodies,
  waitForSocket,
  conversaRow,
  createGate,
  openName,
  listedNames,
  mensagemPageOf,
  setupAtendimento,
  openFilters,
} from './tab.ts'

/** Answers and events arrive in any order; the screen must end in the true state. */

const open = setupAtendimento()
const C2 = '/dashboard?aba=atendimento&c=c2'
const SEND = 'POST /atendimento/conversas/c2/mensagem'
const MIDIA = 'POST /atendimento/conversas/c2/midia'
const RESPOSTAS = 'GET /atendimento/respostas-rapidas'
const LIST = 'GET /atendimento/conversas/c2/mensagens'

function emitMensagem(conversaId: string, uma: Mensagem, rest: object = {}): void {
  fakeSocket.emit('mensagemConversaHumana', { userId: CONTA_ID, conversaId, mensagem: uma, ...rest })
}

/** Events are processed in order: once this one shows, the earlier ones were processed. */
async function waitForEarlierEvents(texto = 'Marcador'): Promise<void> {
  emitCustomerMensagem('c4', { texto, remetente: 'Rafa' })
  await expect.element(conversaRow('Rafa').getByText(texto)).toBeVisible()
}

const shownIds = (): string[] =>
  [...document.querySelectorAll('[data-mensagem]')].map((um) => um.getAttribute('data-mensagem') ?? '')

describe('Chat with late answers', () => {
  it('shows messages missed offline before those sent meanwhile, in server order', async () => {
    const { api } = open({}, C2)
    await expect.element(chat.getByText('Meu pedido não chegou')).toBeVisible()
    await waitForSocket()
    fakeSocket.drop()
    await expect.poll(() => fakeSocket.connectionCount()).toBe(0)
    const mine = makeSentMensagem('Qual é o endereço?', { id: 'minha' })
    api.on(SEND, () => ok({ mensagem: mine, conversaId: 'c2' }))
    await composer.fill('Qual é o endereço?')
    await button('Enviar').click()
    await expect.poll(() => shownIds().at(-1)).toBe('minha')
    const [, joao] = makeConversas()
    const doServidor = [...(joao?.mensagens ?? []), makeMensagem({ id: 'perdida', texto: 'Alô?' }), mine]
    api.on(LIST, (request) => ok(mensagemPageOf(doServidor, request)))
    fakeSocket.restore()
    await expect.element(chat.getByText('Alô?')).toBeVisible()
    expect(shownIds()).toEqual(['j1', 'j2', 'perdida', 'minha'])
  })

  it('keeps a message sent before the first page arrived', async () => {
    const { api } = open({}, C2)
    const { wait, open: chegarPagina } = createGate()
    const [, joao] = makeConversas()
    api.on(LIST, async () => {
      await wait
      return ok({ mensagens: joao?.mensagens ?? [] })
    })
    api.on(SEND, () => ok({ mensagem: makeSentMensagem('Já vejo', { id: 'cedo' }), conversaId: 'c2' }))
    await composer.fill('Já vejo')
    await button('Enviar').click()
    await expect.element(button('Enviar')).toBeVisible()
    chegarPagina()
    await expect.element(chat.getByText('Meu pedido não chegou')).toBeVisible()
    expect(shownIds().at(-1)).toBe('cedo')
  })

  it('reverts only a refused reaction and keeps the customer’s concurrent edit', async () => {
    const bot = makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true, conector: 'whatsapp' })
    const { api } = open({}, C2, { bot })
    await waitForSocket()
    const { wait, open: refuse } = createGate()
    api.on('POST /atendimento/conversas/c2/mensagens/j1/reacao', async () => {
      await wait
      return refusal(503, 'servidorOcupado', 'O servidor está ocupado.')
    })
    await chat.getByRole('button', { name: 'Ações da mensagem' }).first().click()
    await page.getByRole('menuitemradio', { name: 'Joinha' }).click()
    await expect.element(chat.getByText('Reações: 👍', { exact: true })).toBeVisible()
    const original = makeMensagem({ id: 'j1', texto: 'Meu pedido não chegou', remetente: 'João Pedro Alves' })
    emitMensagem('c2', { ...original, editada: true, edicao: 'Já chegou, obrigado' }, { marcada: true })
    await expect.element(chat.getByText('Já chegou, obrigado')).toBeVisible()
    refuse()
    await expect.element(aviso(/^Erro ao reagir à mensagem/)).toBeVisible()
    await expect.element(chat.getByText('Já chegou, obrigado')).toBeVisible()
    expect(chat.getByText(/^Reações/).query()).toBeNull()
  })
})

describe('Conversa list with late answers', () => {
  it('shows the latest message of a conversa whose fetch was in flight', async () => {
    const { api } = open()
    await expect.element(conversaRow('Marina')).toBeVisible()
    await waitForSocket()
    const { wait, open: reply } = createGate()
    const texts = ['Primeira']
    const requested = 'GET /atendimento/conversas/c9'
    api.on(requested, async () => {
      const mensagens = texts.map((texto) => makeMensagem({ texto }))
      await wait
      return ok({ conversa: makeConversa({ id: 'c9', nome: 'Dona Neide', mensagens }) })
    })
    emitCustomerMensagem('c9', { texto: 'Primeira', remetente: 'Dona Neide' })
    await expect.poll(() => api.calls.map(({ route }) => route)).toContain(requested)
    await waitForEarlierEvents()
    texts.push('Segunda')
    emitCustomerMensagem('c9', { texto: 'Segunda', remetente: 'Dona Neide' })
    await waitForEarlierEvents('Outro marcador')
    reply()
    await expect.element(conversaRow('Dona Neide').getByText('Segunda')).toBeVisible()
  })

  it('refetches a list requested before the socket connected', async () => {
    fakeSocket.drop()
    const { api, conversaServer } = open()
    const { wait, open: reply } = createGate()
    let pedidas = 0
    api.on('GET /atendimento/conversas', async () => {
      pedidas += 1
      const conversas = conversaServer.open
      if (pedidas === 1) await wait
      return ok({ conversas })
    })
    await expect.poll(() => pedidas).toBe(1)
    conversaServer.open = [...conversaServer.open, makeConversa({ id: 'c9', nome: 'Dona Neide' })]
    fakeSocket.restore()
    await waitForSocket()
    reply()
    await expect.element(conversaRow('Dona Neide')).toBeVisible()
  })

  it('requests finished conversas directly, without the previous status first', async () => {
    const finalizadaEm = new Date().toISOString()
    const fim = makeConversa({ id: 'f1', nome: 'Carla Menezes', status: 'finalizada', finalizadaEm })
    const { api, conversaServer } = open()
    await expect.element(conversaRow('Marina')).toBeVisible()
    const status: (string | null)[] = []
    api.on('GET /atendimento/conversas', ({ url }) => {
      status.push(url.searchParams.get('status'))
      return ok({ conversas: url.searchParams.get('status') === 'finalizada' ? [fim] : conversaServer.open })
    })
    await openFilters()
    await button('Finalizadas').click()
    await expect.element(conversaRow('Carla Menezes')).toBeVisible()
    expect(status).not.toContain('todos')
  })

  it('follows finished and reopened conversas with one read at a time', async () => {
    const abertas = makeConversas().map((uma, minutes) => ({ ...uma, ultimaAtividade: minutesAgo(minutes) }))
    const { api, conversaServer } = open({ open: abertas })
    await expect.element(conversaRow('Marina')).toBeVisible()
    await waitForSocket()
    const leituras = { agora: 0, juntas: 0, todas: 0 }
    const { wait, open: reply } = createGate()
    api.on('GET /atendimento/conversas', async ({ url }) => {
      if (url.searchParams.get('status') !== 'finalizada') return ok({ conversas: conversaServer.open })
      leituras.todas += 1
      leituras.agora += 1
      leituras.juntas = Math.max(leituras.juntas, leituras.agora)
      const conversas = conversaServer.finished
      if (leituras.todas === 2) await wait
      leituras.agora -= 1
      return ok({ conversas })
    })
    const finish = (id: string): void => {
      const fim = conversaServer.open.find((uma) => uma.id === id) ?? makeConversa({ id })
      conversaServer.open = conversaServer.open.filter((uma) => uma !== fim)
      const finalizadaEm = new Date().toISOString()
      conversaServer.finished = [{ ...fim, status: 'finalizada', finalizadaEm }, ...conversaServer.finished]
      fakeSocket.emit('conversaFinalizada', { userId: CONTA_ID, conversaId: id })
    }
    await openFilters()
    await button('Finalizadas').click()
    await expect.element(page.getByText('Nenhuma conversa finalizada')).toBeVisible()
    finish('c4')
    await expect.poll(() => leituras.agora).toBe(1)
    for (const id of ['c3', 'c1']) finish(id)
    reply()
    await expect.poll(listedNames).toEqual(['Marina Duarte', 'Studio Bela Vista', 'Rafa'])
    expect(leituras).toEqual({ agora: 0, juntas: 1, todas: 3 })

    await searchBox.fill('marina')
    await expect.poll(listedNames).toEqual(['Marina Duarte'])
    finish('c2')
    const [deNovo = makeConversa()] = conversaServer.finished.splice(1, 1)
    conversaServer.open = [{ ...deNovo, status: 'aguardando' }]
    fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: conversaServer.open[0] })
    await expect.poll(listedNames).toEqual([])
    await searchBox.fill('')
    await expect.poll(listedNames).toContain('João Pedro Alves')
    expect(listedNames()).not.toContain('Marina Duarte')
    expect(leituras.juntas).toBe(1)
  })

  it('keeps a customer message that arrived while the conversa was being taken', async () => {
    const { api, conversaServer } = open({}, '/dashboard?aba=atendimento&c=c1')
    await waitForSocket()
    const { wait, open: reply } = createGate()
    const [before = makeConversa()] = conversaServer.open
    api.on('POST /atendimento/conversas/c1/assumir', async () => {
      await wait
      return ok({ conversa: { ...before, status: 'em_atendimento', operadorId: 'u1', operador: 'Ana Ribeiro' } })
    })
    await button('Assumir').click()
    emitCustomerMensagem('c1', { texto: 'Mais uma coisa' })
    await expect.element(conversaRow('Marina').getByText('Mais uma coisa')).toBeVisible()
    reply()
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
    await expect.element(conversaRow('Marina').getByText('Mais uma coisa')).toBeVisible()
  })

  it('keeps what events changed while an older answer was on its way', async () => {
    const { api, conversaServer } = open()
    const older = conversaServer.open
    await expect.element(conversaRow('Marina')).toBeVisible()
    await waitForSocket()
    fakeSocket.drop()
    await expect.poll(() => fakeSocket.connectionCount()).toBe(0)
    const reads = [createGate(), createGate()]
    let begun = 0
    api.on('GET /atendimento/conversas', async () => {
      const read = reads[begun]
      begun += 1
      await read?.wait
      return ok({ conversas: older })
    })
    fakeSocket.restore()
    await expect.poll(() => begun).toBe(1)
    const rosa = makeConversa({ id: 'c8', nome: 'Rosa', ultimaAtividade: new Date().toISOString() })
    fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: rosa })
    fakeSocket.emit('conversaFinalizada', { userId: CONTA_ID, conversaId: 'c1' })
    await expect.element(conversaRow('Rosa')).toBeVisible()
    reads[0]?.open()
    // This read follows the answer, because events arrived meanwhile.
    await expect.poll(() => begun).toBe(2)
    await expect.poll(listedNames).toContain('Rosa')
    expect(listedNames()).not.toContain('Marina Duarte')
  })
})

describe('Sending with late answers', () => {
  it('sends files in the chosen order and keeps one that the socket confirmed', async () => {
    const { api } = open({}, C2)
    await waitForSocket()
    const { wait, open: reply } = createGate()
    const requests: FormData[] = []
    api.on(MIDIA, async ({ body }) => {
      if (body instanceof FormData) requests.push(body)
      await wait
      return refusal(503, 'servidorOcupado', 'O servidor está ocupado.')
    })
    await expect.element(composer).toBeVisible()
    const clipboardData = new DataTransfer()
    for (const nome of ['um.pdf', 'dois.pdf'])
      clipboardData.items.add(new File(['x'], nome, { type: 'application/pdf' }))
    composer.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    await page.getByRole('button', { name: 'Enviar 2 arquivos' }).click()
    await expect.element(chat.getByText('dois.pdf')).toBeVisible()
    await expect.poll(() => requests.length).toBe(1)
    const midia = { tipo: 'documento', url: '/icon.svg', nomeArquivo: 'um.pdf', mimeType: 'application/pdf' } as const
    const idTemporario = requests[0]?.get('idTemporario')
    emitMensagem('c2', makeSentMensagem('', { id: 'arquivo', midia }), { idTemporario })
    await expect.poll(shownIds).toContain('arquivo')
    expect(requests).toHaveLength(1)
    reply()
    await expect.element(chat.getByRole('button', { name: 'Descartar' })).toBeVisible()
    expect(chat.getByRole('button', { name: 'Descartar' }).elements()).toHaveLength(1)
    await expect.element(aviso(/Erro ao enviar arquivo/)).toBeVisible()
    expect(aviso(/Erro ao enviar arquivo/).elements()).toHaveLength(1)
  })

  it('clears a text confirmed by socket and gives its repetition a new id', async () => {
    const screen = open({}, C2)
    await waitForSocket()
    screen.api.on(SEND, () => refusal(503, 'servidorOcupado', 'O servidor está ocupado.'))
    await composer.fill('Ok')
    await button('Enviar').click()
    await expect.element(aviso(/^Erro ao enviar mensagem/)).toBeVisible()
    await expect.element(composer).toHaveValue('Ok')
    const idDe = (index: number): unknown => Object(sentBodies(screen, SEND)[index]).idTemporario
    emitMensagem('c2', makeSentMensagem('Ok', { id: 'guardada' }), { idTemporario: idDe(0) })
    await expect.element(composer).toHaveValue('')
    await composer.fill('Ok')
    await button('Enviar').click()
    await expect.poll(() => sentBodies(screen, SEND).length).toBe(2)
    expect(idDe(1)).not.toBe(idDe(0))
  })

  it('does not send a quick-reply shortcut while its text is loading', async () => {
    const screen = open({}, C2)
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    const { wait, open: chegarRespostas } = createGate()
    screen.api.on(RESPOSTAS, async () => {
      await wait
      return ok({ respostas: [{ atalho: 'pix', texto: 'Nossa chave PIX é o telefone.' }] })
    })
    await composer.fill('/pix')
    await userEvent.keyboard('{Enter}')
    await expect.element(composer).toHaveValue('/pix')
    chegarRespostas()
    await expect.element(page.getByRole('option', { name: /pix/ })).toBeVisible()
    await userEvent.keyboard('{Enter}')
    await expect.element(composer).toHaveValue('Nossa chave PIX é o telefone.')
    expect(sentBodies(screen, SEND)).toEqual([])
  })

  it('allows sending as soon as the daily limit is raised', async () => {
    const { api, server } = open({}, C2, { mensagensHoje: 1000 })
    await waitForSocket()
    const resetEm = new Date(Date.now() + 3_600_000).toISOString()
    api.on(SEND, () => refusal(429, 'limiteDiario', 'Limite', { usado: 1000, limite: 1000, resetEm }))
    await composer.fill('Mais uma')
    await button('Enviar').click()
    await expect.element(composer).toBeDisabled()
    server.limiteDiario = 2000
    fakeSocket.drop()
    await expect.poll(() => fakeSocket.connectionCount()).toBe(0)
    fakeSocket.restore()
    await expect.element(composer).toBeEnabled()
    await expect.element(composer).toHaveValue('Mais uma')
  })
})

it('keeps two changes of setores answered one after the other', async () => {
  const { api, conversaServer } = open()
  const { wait, open: reply } = createGate()
  const setorDe = (id: string) => conversaServer.setores.find((um) => um.id === id)
  api.on('PUT /atendimento/setores/vendas', async () => {
    await wait
    return ok({ setor: { ...setorDe('vendas'), nome: 'Encomendas' } })
  })
  api.on('PUT /atendimento/setores/suporte', async () => {
    await wait
    return ok({ setor: { ...setorDe('suporte'), cor: 'pink' } })
  })
  await button('Configurar setores').click()
  await page.getByRole('textbox', { name: 'Nome do setor Vendas' }).fill('Encomendas')
  await page.getByRole('group', { name: 'Cor do setor Suporte' }).getByTitle('Rosa').click()
  await expect.poll(() => api.calls.filter(({ route }) => route.startsWith('PUT /atendimento/setores')).length).toBe(2)
  reply()
  const rosa = page.getByRole('group', { name: 'Cor do setor Suporte' }).getByRole('radio', { name: 'Rosa' })
  await expect.element(rosa).toBeChecked()
  await expect.element(page.getByRole('textbox', { name: 'Nome do setor Encomendas' })).toBeVisible()
})
