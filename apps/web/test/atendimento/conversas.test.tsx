import { socketDeMentira } from '../dashboard/fake-socket.ts'
import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { refusal } from '#test/fake-api.ts'
import { CONTA } from '../dashboard/painel.tsx'
import {
  aviso,
  botao,
  busca,
  chat,
  chegar,
  compositor,
  conversa,
  enviada,
  enviadas,
  esperarSocket,
  ha,
  linha,
  lista,
  nomeAberto,
  nomesNaLista,
  umaFila,
  usarAtendimento,
} from './aba.ts'

const abrir = usarAtendimento()

const setores = page.getByRole('group', { name: 'Setores' })

describe('Conversa list', () => {
  it('lists waiting conversas first, longest wait on top, with time and urgency', async () => {
    abrir()
    await expect.element(linha('Marina Duarte')).toBeVisible()
    expect(nomesNaLista()).toEqual(['Studio Bela Vista', 'Rafa', 'Marina Duarte', 'João Pedro Alves'])
    const urgencias = [...document.querySelectorAll<HTMLElement>('[data-urgencia]')].map((um) => um.dataset['urgencia'])
    expect(urgencias).toEqual(['urgente', 'atencao', 'calma'])
    await expect.poll(() => linha('Studio').element().textContent).toContain('Espera: 24 min')
    await expect.element(linha('Marina').getByText('2 não lidas')).toBeInTheDocument()
    await expect.element(linha('João').getByText(/Você: Oi, João!/)).toBeVisible()
    expect(document.querySelectorAll('[data-ponto]')).toHaveLength(3)
  })

  it('counts by setor, fills the bar at ten and toggles a filter by card', async () => {
    abrir({ abertas: [...umaFila(), conversa({ id: 'c5', nome: 'Carla', status: 'em_atendimento' })] })
    const vendas = setores.getByRole('button', { name: /Vendas/ })
    await expect.poll(() => vendas.query()?.textContent).toBe('Vendas2 conversas1 aguardando')
    expect(vendas.element().querySelector<HTMLElement>('[data-barra]')?.style.width).toBe('20%')
    await vendas.click()
    await expect.poll(nomesNaLista).toEqual(['Marina Duarte', 'Carla'])
    await vendas.click()
    await expect.poll(() => nomesNaLista().length).toBe(5)
  })

  it('searches by name without accents and by phone, and clears an empty search', async () => {
    abrir()
    await expect.element(lista).toBeVisible()
    await busca.fill('joao')
    await expect.poll(nomesNaLista).toEqual(['João Pedro Alves'])
    await busca.fill('(21) 91234')
    await expect.poll(nomesNaLista).toEqual(['João Pedro Alves'])
    await busca.fill('ninguém')
    await expect.element(page.getByText('Nada com este filtro')).toBeVisible()
    await botao('Limpar filtros').click()
    await expect.poll(() => nomesNaLista().length).toBe(4)
  })

  it('filters by status and opens finished conversas read-only', async () => {
    const fim = conversa({ id: 'f1', nome: 'Carla Menezes', status: 'finalizada', finalizadaEm: ha(60) })
    abrir({ finalizadas: [fim] })
    await botao('Em atendimento').click()
    await expect.poll(nomesNaLista).toEqual(['João Pedro Alves'])
    await botao('Finalizadas').click()
    await expect.poll(nomesNaLista).toEqual(['Carla Menezes'])
    await linha('Carla').click()
    await expect.element(compositor).toBeDisabled()
    await expect.element(botao('Enviar')).toBeDisabled()
    await expect.poll(() => botao('Finalizar').query()).toBeNull()
  })

  it('explains an empty, a failed and a forbidden list', async () => {
    const { api } = abrir({ abertas: [] })
    await expect.element(page.getByText('Ninguém esperando')).toBeVisible()
    await botao('Finalizadas').click()
    await expect.element(page.getByText('Nenhuma conversa finalizada')).toBeVisible()
    const outro = abrir()
    outro.api.on('GET /atendimento/conversas', () => refusal(400, 'x', 'O servidor tropeçou.'))
    await expect.element(page.getByText('O servidor tropeçou.')).toBeVisible()
    outro.api.on('GET /atendimento/conversas', () => refusal(403, 'semPermissao', 'Sem permissão aqui.'))
    await botao('Tentar de novo').click()
    await expect.element(page.getByText('Acesso Restrito')).toBeVisible()
    expect(api).not.toBe(outro.api)
  })

  it('applies socket events: new, message, taken, transferred and finished', async () => {
    abrir()
    await expect.element(lista).toBeVisible()
    await esperarSocket()
    const nova = conversa({ id: 'c9', nome: 'Dona Neide', aguardandoDesde: ha(0) })
    socketDeMentira.emitir('novaConversaHumana', { userId: CONTA, conversa: nova })
    await expect.element(linha('Dona Neide')).toBeVisible()
    chegar('c9', { texto: 'Tem bolo?', remetente: 'Dona Neide' })
    await expect.element(linha('Dona Neide').getByText('Tem bolo?')).toBeVisible()
    const tomada = { userId: CONTA, conversaId: 'c9', operadorId: 'u2', operador: 'Bruno' }
    socketDeMentira.emitir('conversaAssumida', tomada)
    await expect.element(linha('Dona Neide').getByText('Bruno')).toBeVisible()
    socketDeMentira.emitir('conversaTransferida', { userId: CONTA, conversaId: 'c9', novoSetor: 'financeiro' })
    await expect.element(linha('Dona Neide').getByText('Financeiro')).toBeVisible()
    socketDeMentira.emitir('conversaFinalizada', { userId: 'outra-conta', conversaId: 'c9' })
    socketDeMentira.emitir('conversaFinalizada', { userId: CONTA, conversaId: 'c9' })
    await expect.poll(() => linha('Dona Neide').query()).toBeNull()
  })
})

describe('Chat: reading', () => {
  it('shows days, unread divider and ticks in words, and clears the unread count', async () => {
    abrir()
    await linha('Marina').click()
    await expect.element(nomeAberto('Marina Duarte')).toHaveFocus()
    await expect.element(chat.getByText('Ontem')).toBeInTheDocument()
    await expect.element(chat.getByText('Hoje', { exact: true })).toBeInTheDocument()
    await expect.element(chat.getByText('2 novas mensagens')).toBeVisible()
    await expect.element(chat.getByText('Lida', { exact: true })).toBeInTheDocument()
    expect(chat.getByText('Padaria Aurora').element().tagName).toBe('STRONG')
    await expect
      .poll(() =>
        linha('Marina')
          .getByText(/não lidas/)
          .query(),
      )
      .toBeNull()
    expect(location.search).toContain('c=c1')
  })

  it('opens a conversa by URL and closes it when finished elsewhere', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c2')
    await expect.element(nomeAberto('João Pedro Alves')).toBeVisible()
    await esperarSocket()
    socketDeMentira.emitir('conversaFinalizada', { userId: CONTA, conversaId: 'c2' })
    await expect.element(page.getByText('Escolha uma conversa')).toBeVisible()
    expect(location.search).not.toContain('c=')
  })

  it('marks a customer who sent PARAR and still allows replies by people', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c2')
    await expect.element(nomeAberto('João Pedro Alves')).toBeVisible()
    await esperarSocket()
    await expect.poll(() => page.getByText('Pediu PARAR').query()).toBeNull()
    const joao = umaFila().find(({ id }) => id === 'c2')
    socketDeMentira.emitir('novaConversaHumana', { userId: CONTA, conversa: { ...joao, pediuParada: true } })
    await expect.element(linha('João').getByText('Pediu PARAR')).toBeInTheDocument()
    await expect.element(page.getByRole('note')).toHaveTextContent('O bot não envia nada até VOLTAR. Você, sim.')
    await compositor.fill('Posso ajudar?')
    await expect.element(botao('Enviar')).toBeEnabled()
    await botao('Finalizar').click()
    await expect.element(page.getByRole('alertdialog').getByText(/não recebe a despedida nem o pedido/)).toBeVisible()
  })

  it('gives messages 60% of a phone screen and buttons at least 44 px', async () => {
    await page.viewport(320, 640)
    abrir({ abertas: [conversa({ pediuParada: true })] }, '/dashboard?aba=atendimento&c=c1')
    for (const largura of [320, 360]) {
      await page.viewport(largura, 640)
      await expect.element(botao('Assumir')).toBeVisible()
      await expect.poll(() => chat.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(0.6 * 640)
      const botoes = [...document.querySelectorAll<HTMLElement>('[data-conversa-aberta] button')]
      const medidas = botoes.filter((um) => um.checkVisibility()).map((um) => um.getBoundingClientRect())
      expect(medidas.length).toBeGreaterThan(6)
      expect(medidas.filter(({ width, height }) => width < 44 || height < 44)).toEqual([])
      expect(medidas.filter(({ left, right }) => left < 0 || right > largura)).toEqual([])
    }
    await expectAccessible()
  })

  it('opens the chat as a second step on a phone and restores focus on return', async () => {
    await page.viewport(360, 740)
    abrir()
    await linha('Marina').click()
    await expect.element(compositor).toBeVisible()
    await expect.poll(() => linha('Marina').query()).toBeNull()
    await expect.element(page.getByRole('navigation', { name: 'Abas' })).not.toBeInTheDocument()
    await botao('Voltar às conversas').click()
    await expect.element(linha('Marina')).toHaveFocus()
    await expect.element(page.getByRole('navigation', { name: 'Abas' })).toBeVisible()
    await linha('Marina').click()
    await expect.element(compositor).toBeVisible()
    history.back()
    await expect.element(linha('Marina')).toBeVisible()
  })
})

describe('Chat: serving', () => {
  it('takes a conversa', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c1')
    await botao('Assumir').click()
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
    await expect.poll(() => botao('Assumir').query()).toBeNull()
    // The clicked button disappears, so the focus moves to the field.
    await expect.element(compositor).toHaveFocus()
  })

  it('names the operador who took the conversa first', async () => {
    const { api, fila } = abrir({}, '/dashboard?aba=atendimento&c=c1')
    await expect.element(botao('Assumir')).toBeVisible()
    api.on('POST /atendimento/conversas/c1/assumir', () => {
      fila.abertas = fila.abertas.map((uma) =>
        uma.id === 'c1' ? { ...uma, status: 'em_atendimento', operadorId: 'u2', operador: 'Bruno' } : uma,
      )
      return refusal(409, 'conversaAssumida', 'Esta conversa já foi assumida por outro operador.', {
        operador: 'Bruno',
      })
    })
    await botao('Assumir').click()
    await expect.element(aviso('Esta conversa já foi assumida por Bruno.')).toBeVisible()
    await expect.element(page.getByText(/Em atendimento com Bruno/)).toBeVisible()
  })

  it('shows the bubble immediately and merges it with answer and socket event', async () => {
    const teste = abrir({}, '/dashboard?aba=atendimento&c=c1')
    let responder = (): void => undefined
    const espera = new Promise<void>((resolve) => (responder = resolve))
    const nova = enviada('Entregamos sim!', { id: 'nova' })
    teste.api.on('POST /atendimento/conversas/c1/mensagem', async () => {
      await espera
      return { status: 200, body: { mensagem: nova, conversaId: 'c1' } }
    })
    await compositor.fill('Entregamos sim!')
    await userEvent.keyboard('{Enter}')
    await expect.element(chat.getByText('Entregamos sim!')).toBeVisible()
    await expect.element(compositor).toHaveValue('')
    await expect.element(botao('Enviando...')).toBeDisabled()
    const [corpo] = enviadas(teste, 'POST /atendimento/conversas/c1/mensagem')
    expect(corpo).toMatchObject({ mensagem: 'Entregamos sim!', idTemporario: expect.stringMatching(/^\d+-/) })
    responder()
    await expect.element(botao('Enviar')).toBeVisible()
    const deNovo = { userId: CONTA, conversaId: 'c1', mensagem: { ...nova, estado: 'entregue' } }
    socketDeMentira.emitir('mensagemConversaHumana', deNovo)
    await expect.element(chat.getByText('Entregue', { exact: true })).toBeInTheDocument()
    // An older state that arrives later must not replace the tick.
    const atrasada = { ...deNovo, mensagem: { ...nova, estado: 'enviada' } }
    socketDeMentira.emitir('mensagemConversaHumana', atrasada)
    chegar('c1', { texto: 'Que bom' })
    await expect.element(chat.getByText('Que bom')).toBeVisible()
    await expect.element(chat.getByText('Entregue', { exact: true })).toBeInTheDocument()
    await expect.poll(() => chat.getByText('Entregamos sim!').elements()).toHaveLength(1)
    await expect.element(page.getByText(/Em atendimento com você/)).toBeVisible()
  })

  it('restores the text after a failure and resends it as the same mensagem', async () => {
    const { api } = abrir({}, '/dashboard?aba=atendimento&c=c2')
    const rota = 'POST /atendimento/conversas/c2/mensagem'
    api.on(rota, () => refusal(503, 'servidorOcupado', 'O servidor está ocupado.'))
    await compositor.fill('Achei seu pedido')
    await botao('Enviar').click()
    await expect.element(aviso('Erro ao enviar mensagem: O servidor está ocupado.')).toBeVisible()
    await expect.element(compositor).toHaveValue('Achei seu pedido')
    await expect.poll(() => chat.getByText('Achei seu pedido').query()).toBeNull()
    await botao('Enviar').click()
    await expect.poll(() => api.calls.filter(({ route }) => route === rota).length).toBe(2)
    const [primeira, segunda] = api.calls.filter(({ route }) => route === rota).map(({ body }) => body)
    expect(segunda).toEqual(primeira)
  })

  it('shows use and reset time at the daily limit and blocks sending', async () => {
    const { api } = abrir({}, '/dashboard?aba=atendimento&c=c2', { mensagensHoje: 1000 })
    const resetEm = new Date(Date.now() + 3_600_000).toISOString()
    api.on('POST /atendimento/conversas/c2/mensagem', () =>
      refusal(429, 'limiteDiario', 'Limite diário de mensagens atingido!', { usado: 1000, limite: 1000, resetEm }),
    )
    await compositor.fill('Mais uma')
    await botao('Enviar').click()
    await expect.element(aviso(/Limite diário de mensagens atingido!\s+Usadas 1.000 de 1.000/)).toBeVisible()
    await expect.element(page.getByText(/Limite diário 1.000\/1.000 · volta em/)).toBeVisible()
    await expect.element(compositor).toBeDisabled()
    await expect.element(compositor).toHaveValue('Mais uma')
  })

  it('finishes after a confirmation and clears the selection', async () => {
    abrir({}, '/dashboard?aba=atendimento&c=c2')
    await botao('Finalizar').click()
    const pergunta = page.getByRole('alertdialog', { name: 'Finalizar a conversa com João Pedro Alves?' })
    await expect.element(pergunta.getByRole('button', { name: 'Voltar' })).toHaveFocus()
    await pergunta.getByRole('button', { name: 'Finalizar' }).click()
    await expect.element(aviso('Conversa finalizada com sucesso')).toBeVisible()
    await expect.element(page.getByText('Escolha uma conversa')).toBeVisible()
    expect(nomesNaLista()).not.toContain('João Pedro Alves')
  })
})
