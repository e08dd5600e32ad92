import { fakeSocket } from '../dashboard/fake-socket.ts'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, makeSentMensagem, minutesAgo, makeConversas } from './sample-conversas.ts'
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
  conversaList,
  openName,
  listedNames,
  setupAtendimento,
  openFilters,
} from './tab.ts'

const open = setupAtendimento()

const setores = page.getByRole('group', { name: 'Setores' })

describe('Conversa list', () => {
  it('lists waiting conversas first, longest wait on top, with time and urgency', async () => {
    open()
    await expect.element(conversaRow('Marina Duarte')).toBeVisible()
    expect(listedNames()).toEqual(['Studio Bela Vista', 'Rafa', 'Marina Duarte', 'João Pedro Alves'])
    const urgencias = [...document.querySelectorAll<HTMLElement>('[data-urgencia]')].map((um) => um.dataset['urgencia'])
    expect(urgencias).toEqual(['urgente', 'atencao', 'calma'])
    await expect.poll(() => conversaRow('Studio').element().textContent).toContain('Espera: 24 min')
    await expect.element(conversaRow('Marina').getByText('2 não lidas')).toBeInTheDocument()
    await expect.element(conversaRow('João').getByText(/Você: Oi, João!/)).toBeVisible()
    expect(document.querySelectorAll('[data-ponto]')).toHaveLength(3)
  })

  it('counts by setor, fills the bar at ten and toggles a filter by card', async () => {
    open({ open: [...makeConversas(), makeConversa({ id: 'c5', nome: 'Carla', status: 'em_atendimento' })] })
    await openFilters()
    const vendas = setores.getByRole('button', { name: /Vendas/ })
    await expect.poll(() => vendas.query()?.textContent).toBe('Vendas2 conversas1 aguardando')
    expect(vendas.element().querySelector<HTMLElement>('[data-barra]')?.style.width).toBe('20%')
    await vendas.click()
    await expect.poll(listedNames).toEqual(['Marina Duarte', 'Carla'])
    await vendas.click()
    await expect.poll(() => listedNames().length).toBe(5)
  })

  it('searches by name without accents and by phone, and clears an empty search', async () => {
    open()
    await expect.element(conversaList).toBeVisible()
    await searchBox.fill('joao')
    await expect.poll(listedNames).toEqual(['João Pedro Alves'])
    await searchBox.fill('(21) 91234')
    await expect.poll(listedNames).toEqual(['João Pedro Alves'])
    await searchBox.fill('ninguém')
    await expect.element(page.getByText('Nada com este filtro')).toBeVisible()
    await button('Limpar filtros').click()
    await expect.poll(() => listedNames().length).toBe(4)
  })

  it('filters by status, opens finished conversas read-only and says why they ended', async () => {
    const ended = { status: 'finalizada' as const, finalizadaEm: minutesAgo(60), motivoFim: 'inatividade' as const }
    const mine = { operadorId: 'u1', operador: 'Ana Ribeiro' }
    const fim = makeConversa({ id: 'f1', nome: 'Carla Menezes', ...ended, ...mine })
    open({ finished: [fim] })
    await openFilters()
    await button('Em atendimento').click()
    await expect.poll(listedNames).toEqual(['João Pedro Alves'])
    await button('Finalizadas').click()
    await expect.poll(listedNames).toEqual(['Carla Menezes'])
    await expect.element(conversaRow('Carla').getByText('O cliente não respondeu')).toBeVisible()
    await conversaRow('Carla').click()
    await expect.element(page.getByText(/^Finalizada · O cliente não respondeu · Vendas/)).toBeVisible()
    await button('Detalhes').click()
    await expect.element(page.getByRole('definition').getByText('O cliente não respondeu')).toBeVisible()
    await expect.element(composer).toBeDisabled()
    await expect.element(button('Enviar')).toBeDisabled()
    await expect.poll(() => button('Finalizar').query()).toBeNull()
  })

  it('shows the stars of a finished conversa when its rating arrives, instead of its last message', async () => {
    const ended = { status: 'finalizada' as const, finalizadaEm: minutesAgo(60), naoLidas: 1 }
    open({ finished: [makeConversa({ id: 'f1', nome: 'Carla Menezes', ...ended })] })
    await openFilters()
    await button('Finalizadas').click()
    await expect.element(conversaRow('Carla')).toBeVisible()
    expect(conversaRow('Carla').getByRole('img').query()).toBeNull()
    await waitForSocket()
    fakeSocket.emit('avaliacaoRecebida', { userId: CONTA_ID, conversaId: 'f1', nota: 4 })
    await expect.element(conversaRow('Carla').getByRole('img', { name: 'Nota 4 de 5' })).toHaveTextContent('★★★★☆')
    await expect
      .poll(() =>
        conversaRow('Carla')
          .getByText(/não lida/)
          .query(),
      )
      .toBeNull()
  })

  it('explains an empty, a failed and a forbidden list', async () => {
    const { api } = open({ open: [] })
    await expect.element(page.getByText('Ninguém esperando')).toBeVisible()
    await openFilters()
    await button('Finalizadas').click()
    await expect.element(page.getByText('Nenhuma conversa finalizada')).toBeVisible()
    const other = open()
    other.api.on('GET /atendimento/conversas', () => refusal(400, 'x', 'O servidor tropeçou.'))
    await expect.element(page.getByText('O servidor tropeçou.')).toBeVisible()
    other.api.on('GET /atendimento/conversas', () => refusal(403, 'semPermissao', 'Sem permissão aqui.'))
    await button('Tentar de novo').click()
    await expect.element(page.getByText('Acesso Restrito')).toBeVisible()
    expect(api).not.toBe(other.api)
  })

  it('applies socket events: new, message, taken, transferred and finished', async () => {
    open()
    await expect.element(conversaList).toBeVisible()
    await waitForSocket()
    const fresh = makeConversa({ id: 'c9', nome: 'Dona Neide', aguardandoDesde: minutesAgo(0) })
    fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: fresh })
    await expect.element(conversaRow('Dona Neide')).toBeVisible()
    emitCustomerMensagem('c9', { texto: 'Tem bolo?', remetente: 'Dona Neide' })
    await expect.element(conversaRow('Dona Neide').getByText('Tem bolo?')).toBeVisible()
    const taken = { userId: CONTA_ID, conversaId: 'c9', operadorId: 'u2', operador: 'Bruno' }
    fakeSocket.emit('conversaAssumida', taken)
    await expect.element(conversaRow('Dona Neide').getByText('Bruno')).toBeVisible()
    fakeSocket.emit('conversaTransferida', { userId: CONTA_ID, conversaId: 'c9', novoSetor: 'financeiro' })
    await expect.element(conversaRow('Dona Neide').getByText('Financeiro')).toBeVisible()
    fakeSocket.emit('conversaFinalizada', { userId: 'outra-conta', conversaId: 'c9' })
    fakeSocket.emit('conversaFinalizada', { userId: CONTA_ID, conversaId: 'c9' })
    await expect.poll(() => conversaRow('Dona Neide').query()).toBeNull()
  })
})

describe('Chat: reading', () => {
  it('shows days, unread divider and ticks in words, and clears the unread count', async () => {
    const app = open()
    await waitForSocket()
    await conversaRow('Marina').click()
    await expect.element(composer).toHaveFocus()
    await expect.element(chat.getByText('Ontem')).toBeInTheDocument()
    await expect.element(chat.getByText('Hoje', { exact: true })).toBeInTheDocument()
    await expect.element(chat.getByText('2 novas mensagens')).toBeVisible()
    await expect.element(chat.getByText('Lida', { exact: true })).toBeInTheDocument()
    expect(chat.getByText('Padaria Aurora').element().tagName).toBe('STRONG')
    await expect
      .poll(() =>
        conversaRow('Marina')
          .getByText(/não lidas/)
          .query(),
      )
      .toBeNull()
    expect(location.search).toContain('c=c1')
    expect(sentBodies(app, 'PUT /atendimento/conversas/c1/leitura')).toEqual([{ ate: 'm4' }])
    emitCustomerMensagem('c1', { id: 'm5', texto: 'Até que horas?' })
    await expect.poll(() => sentBodies(app, 'PUT /atendimento/conversas/c1/leitura').at(-1)).toEqual({ ate: 'm5' })
  })

  it('shows what the person read or marked on another device', async () => {
    open()
    await expect.element(conversaRow('Marina').getByText('2 não lidas')).toBeInTheDocument()
    await waitForSocket()
    const minha = { naoLidas: 0, marcada: false, fixada: false }
    fakeSocket.emit('leituraMudou', { userId: CONTA_ID, conversaId: 'c1', minha })
    await expect
      .poll(() =>
        conversaRow('Marina')
          .getByText(/não lida/)
          .query(),
      )
      .toBeNull()
    emitCustomerMensagem('c1', { texto: 'Ainda aí?' })
    await expect.element(conversaRow('Marina').getByText('1 não lida')).toBeInTheDocument()
    fakeSocket.emit('leituraMudou', { userId: CONTA_ID, conversaId: 'c2', minha: { ...minha, marcada: true } })
    await expect.element(conversaRow('João').getByText('1 não lida')).toBeInTheDocument()
  })

  it('opens a conversa by URL and closes it when finished elsewhere', async () => {
    open({}, '/dashboard?aba=atendimento&c=c2')
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    await waitForSocket()
    fakeSocket.emit('conversaFinalizada', { userId: CONTA_ID, conversaId: 'c2' })
    await expect.element(page.getByText('Escolha uma conversa')).toBeVisible()
    expect(location.search).not.toContain('c=')
  })

  it('marks a customer who sent PARAR and still allows replies by people', async () => {
    open({}, '/dashboard?aba=atendimento&c=c2')
    await expect.element(openName('João Pedro Alves')).toBeVisible()
    await waitForSocket()
    await expect.poll(() => page.getByText('Pediu PARAR').query()).toBeNull()
    const joao = makeConversas().find(({ id }) => id === 'c2')
    fakeSocket.emit('novaConversaHumana', { userId: CONTA_ID, conversa: { ...joao, pediuParada: true } })
    await expect.element(conversaRow('João').getByText('Pediu PARAR')).toBeInTheDocument()
    await expect.element(page.getByRole('note')).toHaveTextContent('O bot não envia nada até VOLTAR. Você, sim.')
    await composer.fill('Posso ajudar?')
    await expect.element(button('Enviar')).toBeEnabled()
    await button('Finalizar').click()
    await expect.element(page.getByRole('alertdialog').getByText(/não recebe a despedida nem o pedido/)).toBeVisible()
  })

  it('gives messages 60% of a phone screen and buttons at least 44 px', async () => {
    await page.viewport(320, 640)
    open({ open: [makeConversa({ pediuParada: true })] }, '/dashboard?aba=atendimento&c=c1')
    for (const largura of [320, 360]) {
      await page.viewport(largura, 640)
      await expect.element(button('Assumir')).toBeVisible()
      await expect.poll(() => chat.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(0.6 * 640)
      const buttons = [...document.querySelectorAll<HTMLElement>('[data-conversa-aberta] button')]
      const measures = buttons.filter((um) => um.checkVisibility()).map((um) => um.getBoundingClientRect())
      expect(measures.length).toBeGreaterThan(6)
      expect(measures.filter(({ width, height }) => width < 44 || height < 44)).toEqual([])
      expect(measures.filter(({ left, right }) => left < 0 || right > largura)).toEqual([])
    }
    await expectAccessible()
  })

  it('opens the chat as a second step on a phone and restores focus on return', async () => {
    await page.viewport(360, 740)
    open()
    await conversaRow('Marina').click()
    await expect.element(composer).toBeVisible()
    await expect.poll(() => conversaRow('Marina').query()).toBeNull()
    await expect.element(page.getByRole('navigation', { name: 'Abas' })).not.toBeInTheDocument()
    await button('Voltar às conversas').click()
    await expect.element(conversaRow('Marina')).toHaveFocus()
    await expect.element(page.getByRole('navigation', { name: 'Abas' })).toBeVisible()
    await conversaRow('Marina').click()
    await expect.element(composer).toBeVisible()
    history.back()
    await expect.element(conversaRow('Marina')).toBeVisible()
  })
})

describe('Chat: serving', () => {
  it('takes a conversa', async () => {
    open({}, '/dashboard?aba=atendimento&c=c1')
    await button('Assumir').click()
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
    await expect.poll(() => button('Assumir').query()).toBeNull()
    // The clicked button disappears, so the focus moves to the field.
    await expect.element(composer).toHaveFocus()
  })

  it('names the operador who took the conversa first', async () => {
    const { api, conversaServer } = open({}, '/dashboard?aba=atendimento&c=c1')
    await expect.element(button('Assumir')).toBeVisible()
    api.on('POST /atendimento/conversas/c1/assumir', () => {
      conversaServer.open = conversaServer.open.map((uma) =>
        uma.id === 'c1' ? { ...uma, status: 'em_atendimento', operadorId: 'u2', operador: 'Bruno' } : uma,
      )
      return refusal(409, 'conversaAssumida', 'Esta conversa já foi assumida por outro operador.', {
        operador: 'Bruno',
      })
    })
    await button('Assumir').click()
    await expect.element(aviso('Esta conversa já foi assumida por Bruno.')).toBeVisible()
    await expect.element(page.getByText(/Em atendimento com Bruno/)).toBeVisible()
  })

  it('shows the bubble immediately and merges it with answer and socket event', async () => {
    const screen = open({}, '/dashboard?aba=atendimento&c=c1')
    let reply = (): void => undefined
    const wait = new Promise<void>((resolve) => (reply = resolve))
    const fresh = makeSentMensagem('Entregamos sim!', { id: 'nova' })
    screen.api.on('POST /atendimento/conversas/c1/mensagem', async () => {
      await wait
      return { status: 200, body: { mensagem: fresh, conversaId: 'c1' } }
    })
    await composer.fill('Entregamos sim!')
    await userEvent.keyboard('{Enter}')
    await expect.element(chat.getByText('Entregamos sim!')).toBeVisible()
    await expect.element(composer).toHaveValue('')
    await expect.element(button('Enviando...')).toBeDisabled()
    const [corpo] = sentBodies(screen, 'POST /atendimento/conversas/c1/mensagem')
    expect(corpo).toMatchObject({ mensagem: 'Entregamos sim!', idTemporario: expect.stringMatching(/^\d+-/) })
    reply()
    await expect.element(button('Enviar')).toBeVisible()
    const deNovo = { userId: CONTA_ID, conversaId: 'c1', mensagem: { ...fresh, estado: 'entregue' } }
    fakeSocket.emit('mensagemConversaHumana', deNovo)
    await expect.element(chat.getByText('Entregue', { exact: true })).toBeInTheDocument()
    // An older state that arrives later must not replace the tick.
    const atrasada = { ...deNovo, mensagem: { ...fresh, estado: 'enviada' } }
    fakeSocket.emit('mensagemConversaHumana', atrasada)
    emitCustomerMensagem('c1', { texto: 'Que bom' })
    await expect.element(chat.getByText('Que bom')).toBeVisible()
    await expect.element(chat.getByText('Entregue', { exact: true })).toBeInTheDocument()
    await expect.poll(() => chat.getByText('Entregamos sim!').elements()).toHaveLength(1)
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
  })

  it('restores the text after a failure and resends it as the same mensagem', async () => {
    const { api } = open({}, '/dashboard?aba=atendimento&c=c2')
    const rota = 'POST /atendimento/conversas/c2/mensagem'
    api.on(rota, () => refusal(503, 'servidorOcupado', 'O servidor está ocupado.'))
    await composer.fill('Achei seu pedido')
    await button('Enviar').click()
    await expect.element(aviso('Erro ao enviar mensagem: O servidor está ocupado.')).toBeVisible()
    await expect.element(composer).toHaveValue('Achei seu pedido')
    await expect.poll(() => chat.getByText('Achei seu pedido').query()).toBeNull()
    await button('Enviar').click()
    await expect.poll(() => api.calls.filter(({ route }) => route === rota).length).toBe(2)
    const [first, second] = api.calls.filter(({ route }) => route === rota).map(({ body }) => body)
    expect(second).toEqual(first)
  })

  it('shows use and reset time at the daily limit and blocks sending', async () => {
    const { api } = open({}, '/dashboard?aba=atendimento&c=c2', { mensagensHoje: 1000 })
    const resetEm = new Date(Date.now() + 3_600_000).toISOString()
    api.on('POST /atendimento/conversas/c2/mensagem', () =>
      refusal(429, 'limiteDiario', 'Limite diário de mensagens atingido!', { usado: 1000, limite: 1000, resetEm }),
    )
    await composer.fill('Mais uma')
    await button('Enviar').click()
    await expect.element(aviso(/Limite diário de mensagens atingido!\s+Usadas 1.000 de 1.000/)).toBeVisible()
    await expect.element(page.getByText(/Limite diário 1.000\/1.000 · volta em/)).toBeVisible()
    await expect.element(composer).toBeDisabled()
    await expect.element(composer).toHaveValue('Mais uma')
  })

  it('finishes after a confirmation and clears the selection', async () => {
    open({}, '/dashboard?aba=atendimento&c=c2')
    await button('Finalizar').click()
    const pergunta = page.getByRole('alertdialog', { name: 'Finalizar a conversa com João Pedro Alves?' })
    await expect.element(pergunta.getByRole('button', { name: 'Voltar' })).toHaveFocus()
    await pergunta.getByRole('button', { name: 'Finalizar' }).click()
    await expect.element(aviso('Conversa finalizada com sucesso')).toBeVisible()
    await expect.element(page.getByText('Escolha uma conversa')).toBeVisible()
    expect(listedNames()).not.toContain('João Pedro Alves')
  })
})
