import { fakeSocket } from '../dashboard/fake-socket.ts'
import { motivoBotSchema } from '@balcao/contract/entities/bot-status'
import { explainStatus } from '#features/geral/bot/bot-status-card.tsx'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConversa } from '#test/atendimento/sample-conversas.ts'
import { makeSistemaStatus } from '#test/logs/tab.ts'
import { makeUsuario } from '#test/render.tsx'
import { shortenWaits } from '#test/short-waits.ts'
import {
  CONTA_ID,
  openPanel,
  type PanelTestApp,
  type PanelServer,
  makeConfig,
  makeBotStatus,
} from '#test/dashboard/panel.tsx'

let painel: PanelTestApp | null = null
function abrir(inicial?: Partial<PanelServer>): PanelTestApp {
  painel = openPanel('/dashboard?aba=geral', inicial)
  return painel
}

afterEach(() => painel?.unmount())

const clientId = page.getByLabelText('Client ID')
const save = page.getByRole('button', { name: 'Salvar', exact: true })
const start = page.getByRole('button', { name: 'Iniciar bot' })
const qrCode = page.getByRole('img', { name: 'QR Code' })
const aviso = (text: string | RegExp) => page.getByRole('region', { name: 'Avisos' }).getByText(text)

function recusaDeVelha({ server }: PanelTestApp, body: unknown): ReturnType<typeof refusal> | null {
  if (typeof body !== 'object' || body === null || !('versao' in body)) return refusal(400, 'dadosInvalidos', 'x')
  if (body.versao === server.config.versao) return null
  return refusal(409, 'versaoDesatualizada', ALTERADA, { versao: server.config.versao })
}
const ALTERADA = 'A configuração foi alterada em outra janela. Recarregue antes de salvar.'

/** Answers a save like the server: the next version, or 409 for an outdated one. */
function salvarDeVerdade(screen: PanelTestApp): void {
  const { api, server } = screen
  api.on('PUT /config', ({ body }) => {
    const recusa = recusaDeVelha(screen, body)
    if (recusa !== null) return recusa
    server.config = { ...server.config, ...Object(body), versao: server.config.versao + 1 }
    return ok({ sucesso: true, config: server.config })
  })
}

describe('Ontem na sua loja', () => {
  const card = page.getByRole('region', { name: 'Ontem na sua loja' })
  const MINUTE = 60_000
  const figures = (conversas: number, mediana: number | null, semResposta: number, notaMedia: number | null) => ({
    ...{
      conversas,
      finalizadas: 0,
      avaliacoes: 0,
      semResposta,
      notaMedia,
      primeiraRespostaMs: mediana,
      resolucaoMs: null,
    },
    espera: { media: mediana, mediana, p90: mediana },
  })

  it('compares yesterday with the day before and opens the conversa that waits longest', async () => {
    const { api } = abrir()
    const days: string[] = []
    api.on('GET /atendimento/relatorio', ({ url }) => {
      days.push(`${url.searchParams.get('de')} ${url.searchParams.get('ate')}`)
      return ok({ total: figures(12, 4 * MINUTE, 2, 4.6), anterior: figures(9, null, 0, null) })
    })
    const waiting = makeConversa({
      id: 'c1',
      nome: 'Marina',
      semRespostaDesde: new Date(Date.now() - 72 * MINUTE).toISOString(),
    })
    api.on('GET /atendimento/conversas', () => ok({ conversas: [waiting] }))
    await expect.element(card.getByText('Metade esperou até')).toBeVisible()
    await expect.element(card).toMatchTextContent(/Clientes12anteontem: 9/)
    await expect.element(card).toMatchTextContent(/Metade esperou até4 minanteontem: sem dados/)
    await expect.element(card).toMatchTextContent(/Sem resposta2anteontem: 0Nota média4,6/)
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(Date.now() - 86_400_000)
    expect([...new Set(days)]).toEqual([`${day} ${day}`])
    await expectAccessible()
    await card.getByRole('link', { name: 'Marina (1 h 12 min)' }).click()
    await expect.poll(() => location.search).toMatch(/aba=atendimento.*c=c1/)
  })

  it('says so when no customer asked for a person, and offers a retry after an error', async () => {
    const { api } = abrir()
    api.on('GET /atendimento/conversas', () => ok({ conversas: [] }))
    api.on('GET /atendimento/relatorio', () => refusal(500, 'interno', 'Erro ao carregar relatório'))
    await expect.element(card.getByText('Erro ao carregar relatório')).toBeVisible()
    api.on('GET /atendimento/relatorio', () => ok({ total: figures(0, null, 0, null) }))
    await card.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(card.getByText('Ontem ninguém pediu atendimento.')).toBeVisible()
    await expect.element(card.getByText('Ninguém espera agora.')).toBeVisible()
  })

  it('is closed to a conta without atendimento', async () => {
    const usuario = makeUsuario()
    const componentesPermitidos = { ...usuario.componentesPermitidos, atendimentoHumano: false }
    abrir({ usuario: { ...usuario, componentesPermitidos } })
    await expect.element(page.getByRole('region', { name: 'Status do Bot' })).toBeVisible()
    expect(card.query()).toBeNull()
  })
})

describe('Server in Geral', () => {
  it.each([
    ['Online', ok(makeSistemaStatus())],
    ['Instável', ok(makeSistemaStatus({ servidor: 'instavel' }))],
    ['Offline', refusal(403, 'semPermissao', 'Não')],
  ])('shows %s by the measured status, with an open socket', async (label, answer) => {
    abrir().api.on('GET /sistema/status', () => answer)
    const info = page.getByRole('region', { name: 'Informações do Sistema' })
    await expect.element(info.getByText(label, { exact: true })).toBeVisible()
    const menu = page.getByRole('complementary', { name: 'Menu' })
    await expect.element(menu.getByText('Online', { exact: true })).toBeVisible()
  })
})

describe('Bot connection', () => {
  it('saves the Client ID, starts, shows the QR code and connects by socket', async () => {
    const screen = abrir({ config: makeConfig('') })
    salvarDeVerdade(screen)
    await expect.element(start).toBeDisabled()
    await expect.element(page.getByText('Informe o Client ID e salve para poder iniciar.')).toBeVisible()
    await expect.element(page.getByText('O QR Code aparecerá quando o bot for iniciado.')).toBeVisible()

    await clientId.fill('padaria-aurora')
    await save.click()
    await expect.element(aviso('Configurações salvas com sucesso!')).toBeVisible()
    await expect.element(start).toBeEnabled()
    for (const nome of ['Status do Bot', 'QR Code'])
      await expect.element(page.getByRole('region', { name: nome }).getByText('Conexão: padaria-aurora')).toBeVisible()

    const starting = makeBotStatus({ status: 'INICIALIZANDO', inicializado: true })
    // Set only on the click: a poll before it would already change the button.
    screen.api.on('POST /bot/iniciar', () => {
      screen.server.bot = starting
      return ok({ ...starting, mensagem: 'ok' })
    })
    await start.click()
    await expect.element(aviso('Bot iniciado! Aguarde a conexão...')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Parar bot' })).toBeVisible()
    await expect.element(page.getByText('Aguarde enquanto o QR Code é gerado…')).toBeVisible()

    const qrExpiraEm = new Date(Date.now() + 290_000).toISOString()
    const comCodigo = { qrCode: '2@abc,def', qr: '2@abc,def', qrExpiraEm }
    screen.server.bot = makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, ...comCodigo })
    fakeSocket.emit('botStatusChange', { userId: CONTA_ID, status: 'AGUARDANDO_QR' })
    await expect.element(aviso('Aguardando QR Code')).toBeVisible()
    fakeSocket.emit('botQrCode', { userId: CONTA_ID, qrCode: '2@abc,def', qrExpiraEm })
    await expect.element(qrCode).toBeVisible()
    await expect.element(page.getByText(/Novo código em \d+ s/)).toBeVisible()
    const drawing = (): string | null => qrCode.element().querySelector('path')?.getAttribute('d') ?? null
    const first = drawing()
    fakeSocket.emit('botQrCode', { userId: CONTA_ID, qrCode: '2@outro,def', qrExpiraEm })
    await expect.poll(drawing).not.toBe(first)
    await expect.element(page.getByRole('link', { name: 'Abrir simulador' })).toHaveAttribute('href', '/simulador')

    const connected = makeBotStatus({
      status: 'CONECTADO',
      isRunning: true,
      inicializado: true,
      conectadoComo: '+55 11 98765-4321',
    })
    screen.server.bot = connected
    fakeSocket.emit('botStatus', { ...connected, userId: CONTA_ID })
    await expect.element(aviso('Bot conectado!')).toBeVisible()
    await expect.element(page.getByText('Conectado como +55 11 98765-4321')).toBeVisible()
    await expect.element(page.getByRole('main').getByText('Conectado', { exact: true })).toBeVisible()
    await expect.element(page.getByText('Bot online')).toBeVisible()
    await expect.poll(() => qrCode.query()).toBeNull()
  })

  it('reports an unknown status until the server answers', async () => {
    shortenWaits()
    const { api } = abrir()
    api.on('GET /bot/status', () => refusal(500, 'interno', 'x'))
    await expect.element(page.getByText('Não foi possível saber como o bot está.')).toBeVisible()
    api.on('GET /bot/status', () => ok(makeBotStatus()))
    await page.getByText('Ações rápidas').click()
    await page.getByRole('button', { name: 'Verificar Status Bot' }).click()
    await expect.element(page.getByText('O bot está parado: ninguém recebe resposta automática.')).toBeVisible()
  })

  it('polls after a start until a code arrives, without the socket', async () => {
    shortenWaits()
    const { api, server } = abrir()
    const starting = makeBotStatus({ status: 'INICIALIZANDO', inicializado: true })
    api.on('POST /bot/iniciar', () => {
      server.bot = starting
      return ok({ ...starting, mensagem: 'ok' })
    })
    await expect.element(start).toBeEnabled()
    await start.click()
    await expect.element(page.getByText('Aguarde enquanto o QR Code é gerado…')).toBeVisible()
    api.on('GET /bot/status', () =>
      ok(makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: 'x', qr: 'x' })),
    )
    await expect.element(qrCode).toBeVisible()
  })

  it('draws a QR code dark on white, with a margin of 4 modules', async () => {
    abrir({ bot: makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: '2@abc', qr: '2@abc' }) })
    await expect.element(qrCode).toBeVisible()
    document.documentElement.dataset['theme'] = 'dark'
    const svg = qrCode.element()
    expect(getComputedStyle(svg).backgroundColor).toBe('rgb(255, 255, 255)')
    const drawing = svg.querySelector('path')?.getAttribute('d') ?? ''
    expect(drawing.startsWith('M4 4h7v1')).toBe(true)
    expect(svg.getBoundingClientRect().width).toBeGreaterThanOrEqual(208)
  })

  it('shows a pairing code with its validity and reports an invalid number', async () => {
    const config = makeConfig()
    const { api } = abrir({
      config: { ...config, whatsapp: { ...config.whatsapp, conector: 'whatsapp' } },
      bot: makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: '2@abc', qr: '2@abc' }),
    })
    await expect
      .element(
        page.getByText(/A conexão por QR Code não faz parte dos termos do WhatsApp: o número pode ser bloqueado/),
      )
      .toBeVisible()
    const numero = page.getByLabelText('Número do WhatsApp da empresa')
    const generate = page.getByRole('button', { name: 'Gerar código' })
    await page.getByText('Conectar com o número do celular').click()
    api.on('POST /bot/codigo', () =>
      refusal(400, 'dadosInvalidos', 'Dados inválidos', {
        detalhes: [{ caminho: 'telefone', mensagem: 'O WhatsApp não aceitou este número.' }],
      }),
    )
    await numero.fill('11 3333-4444')
    await generate.click()
    await expect.element(numero).toHaveAccessibleDescription(/O WhatsApp não aceitou este número\./)
    const expiraEm = new Date(Date.now() + 150_000).toISOString()
    api.on('POST /bot/codigo', () => ok({ codigo: 'K7QX2M9B', expiraEm }))
    await numero.fill('11 98765-4321')
    await generate.click()
    await expect.element(page.getByText('K7QX-2M9B')).toBeVisible()
    await expect.element(page.getByText(/Vale por mais 2:\d\d/)).toBeVisible()
    await expect.element(page.getByText('Conectar com número de telefone')).toBeVisible()
    // The last request, because the panel sends others meanwhile.
    const request = api.calls.findLast(({ route }) => route === 'POST /bot/codigo')
    expect(request).toMatchObject({ body: { telefone: '11 98765-4321' } })
    await expectAccessible()
  })

  it('explains every reason in its own words', () => {
    const consertos = motivoBotSchema.options.map((motivo) => explainStatus('ERRO', motivo).fix ?? '')
    for (const conserto of consertos) expect(conserto).toMatch(/^\p{Lu}.{20,}\.$/u)
    expect(new Set(consertos).size).toBe(motivoBotSchema.options.length)
  })

  it('shows why the bot stopped and the next step', async () => {
    abrir({ bot: makeBotStatus({ status: 'PARADO', motivo: 'desconectadoNoCelular' }) })
    await expect
      .element(page.getByText('A sessão foi desconectada no celular. Inicie o bot e escaneie o QR Code novamente.'))
      .toBeVisible()
    await expect.element(page.getByText(/conecte o aparelho novamente/)).toBeVisible()
    await expect.element(page.getByText('Status sendo verificado')).toBeVisible()
  })

  it('shows the browser path only where it matters, beside its fault', async () => {
    const config = makeConfig('padaria-aurora')
    abrir({
      config: { ...config, whatsapp: { ...config.whatsapp, conector: 'navegador', chromePath: '/opt/chrome' } },
      bot: makeBotStatus({ status: 'ERRO', motivo: 'navegadorInutilizavel' }),
    })
    await expect
      .element(page.getByText('O programa no caminho configurado não funcionou como navegador.'))
      .toBeVisible()
    await expect.element(page.getByLabelText('Caminho do navegador')).toHaveValue('/opt/chrome')
    await expect.element(page.getByLabelText('Caminho do navegador')).toBeVisible()
    await expect.element(page.getByText('Em branco, o servidor procura', { exact: false })).toBeVisible()
    await expect.element(page.getByText('A conexão por QR Code não faz parte', { exact: false })).toBeVisible()
  })

  it('gives up the link of a machine that is off after a confirmation', async () => {
    const { api, server } = abrir({ bot: makeBotStatus({ status: 'ERRO', motivo: 'maquinaFora' }) })
    const waiting = makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: 'novo', qr: 'novo' })
    api.on('POST /bot/limpar-sessao', () => ok({ ...makeBotStatus({}), mensagem: 'Sessão limpa!' }))
    api.on('POST /bot/iniciar', () => {
      server.bot = waiting
      return ok({ ...waiting, mensagem: 'Iniciando bot...' })
    })
    const orders = () => api.calls.map(({ route }) => route).filter((route) => route.startsWith('POST /bot/'))
    await expect.element(page.getByText('A máquina que guarda esta conexão está desligada.')).toBeVisible()
    await expectAccessible()
    const relink = page.getByRole('button', { name: 'Conectar em outra máquina' })
    const dialog = page.getByRole('alertdialog', { name: 'Conectar em outra máquina?' })
    await relink.click()
    await expect.element(dialog.getByText('mostra um novo QR Code', { exact: false })).toBeVisible()
    await expect
      .element(dialog.getByText('O aparelho antigo continua na lista do celular.', { exact: false }))
      .toBeVisible()
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Voltar' }).click()
    await expect.poll(() => dialog.query()).toBeNull()
    expect(orders()).toEqual([])
    await relink.click()
    await dialog.getByRole('button', { name: 'Conectar' }).click()
    await expect.element(aviso('Escaneie o novo código para conectar.')).toBeVisible()
    expect(orders()).toEqual(['POST /bot/limpar-sessao', 'POST /bot/iniciar'])
  })

  it('closes the confirmation when the machine returns meanwhile', async () => {
    const { server } = abrir({ bot: makeBotStatus({ status: 'ERRO', motivo: 'maquinaFora' }) })
    await page.getByRole('button', { name: 'Conectar em outra máquina' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Conectar em outra máquina?' })
    await expect.element(dialog).toBeVisible()
    server.bot = makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true })
    fakeSocket.emit('botStatusChange', { userId: CONTA_ID, status: 'CONECTADO' })
    await expect.poll(() => dialog.query()).toBeNull()
  })

  it('reports a failed start and a stop', async () => {
    const { api, server } = abrir()
    api.on('POST /bot/iniciar', () =>
      refusal(400, 'clientIdObrigatorio', 'Configure o Client ID antes de iniciar o bot'),
    )
    await start.click()
    await expect.element(aviso('Erro ao iniciar bot: Configure o Client ID antes de iniciar o bot')).toBeVisible()
    server.bot = makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true })
    fakeSocket.emit('botStatusChange', { userId: CONTA_ID, status: 'CONECTADO' })
    const stop = page.getByRole('button', { name: 'Parar bot' })
    await expect.element(stop).toBeVisible()
    api.on('POST /bot/parar', () => ({ status: 500, body: '' }))
    await stop.click()
    await expect.element(aviso('Erro ao parar bot: Erro ao parar bot')).toBeVisible()
    api.on('POST /bot/parar', () => {
      server.bot = makeBotStatus()
      return ok({ ...server.bot, mensagem: 'ok' })
    })
    await stop.click()
    await expect.element(aviso('Bot parado com sucesso!')).toBeVisible()
    await expect.element(start).toBeVisible()
  })
})

describe('Configuração geral', () => {
  it('refuses an empty Client ID, beside the field and in a notice', async () => {
    const { api } = abrir()
    await clientId.fill('   ')
    await save.click()
    await expect.element(aviso('Client ID é obrigatório')).toBeVisible()
    await expect.element(clientId).toHaveAccessibleDescription(/Client ID é obrigatório/)
    await expect.element(clientId).toHaveFocus()
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
  })

  it('hides connectors that the server does not have, except the saved one', async () => {
    const conector = page.getByLabelText('Conector', { exact: true })
    const names = () => [...conector.element().querySelectorAll('option')].map(({ textContent }) => textContent)
    const sem = ok(makeSistemaStatus({ conectores: ['simulador', 'navegador', 'oficial'] }))
    abrir()
    await expect.element(conector).toBeVisible()
    expect(names()).toContain('WhatsApp')
    painel?.unmount()

    const config = makeConfig()
    painel = openPanel('/dashboard?aba=geral', { config })
    painel.api.on('GET /sistema/status', () => sem)
    await expect.element(conector).toBeVisible()
    await expect.poll(names).not.toContain('WhatsApp')
    expect(names()).toEqual(['Simulador (sem celular)', 'WhatsApp pelo navegador', 'WhatsApp Business (API oficial)'])
    painel.unmount()

    painel = openPanel('/dashboard?aba=geral', {
      config: { ...config, whatsapp: { ...config.whatsapp, conector: 'whatsapp' } },
    })
    painel.api.on('GET /sistema/status', () => sem)
    await expect.element(conector).toHaveValue('whatsapp')
    await expect.poll(names).toContain('WhatsApp (não instalado)')
    await expectAccessible()
  })

  it('saves three sections with the key under both names and the read version', async () => {
    const screen = abrir()
    salvarDeVerdade(screen)
    await clientId.fill('loja-2')
    await page.getByLabelText('API Key da IA').fill('AIza-nova')
    await userEvent.keyboard('{Control>}s{/Control}')
    await expect.element(aviso('Configurações salvas com sucesso!')).toBeVisible()
    const request = screen.api.calls.find(({ route }) => route === 'PUT /config')
    expect(request?.body).toMatchObject({
      versao: 3,
      whatsapp: { clientId: 'loja-2' },
      gemini: { apiKey: 'AIza-nova' },
      ia: { apiKey: 'AIza-nova' },
    })
    await expect.poll(() => page.getByRole('region', { name: 'Alterações não salvas' }).query()).toBeNull()
  })

  it('sends one save at a time and keeps edits made meanwhile', async () => {
    const screen = abrir()
    const answered = Promise.withResolvers<void>()
    screen.api.on('PUT /config', async ({ body }) => {
      await answered.promise
      return ok({ sucesso: true, config: { ...Object(body), versao: 4 } })
    })
    await clientId.fill('loja-2')
    await userEvent.keyboard('{Control>}s{/Control}')
    await userEvent.keyboard('{Control>}s{/Control}')
    await clientId.fill('loja-22')
    answered.resolve()
    await expect.element(aviso('Configurações salvas com sucesso!')).toBeVisible()
    await expect.element(clientId).toHaveValue('loja-22')
    const requests = screen.api.calls.filter(({ route }) => route === 'PUT /config')
    expect(requests.map(({ body }) => body)).toMatchObject([{ versao: 3, whatsapp: { clientId: 'loja-2' } }])
  })

  it('never stores the key in the browser', async () => {
    const config = makeConfig()
    abrir({ config: { ...config, gemini: { apiKey: '••••••••1234' }, ia: { ...config.ia, apiKey: '••••••••1234' } } })
    await expect.element(page.getByLabelText('API Key da IA')).toHaveValue('••••••••1234')
    const stored = Object.values({ ...localStorage }).join('')
    expect(stored).toContain('padaria-aurora')
    expect(stored).not.toContain('1234"')
  })

  it('keeps edits when another window saved first, and reloads on request', async () => {
    const screen = abrir()
    salvarDeVerdade(screen)
    await clientId.fill('meu-nome')
    screen.server.config = makeConfig('de-outra-janela', 4)
    await save.click()
    await expect
      .element(aviso(/Erro ao salvar configurações: A configuração foi alterada em outra janela/))
      .toBeVisible()
    await expect.element(clientId).toHaveValue('meu-nome')
    await page
      .getByRole('alert')
      .filter({ hasText: 'o que você digitou' })
      .getByRole('button', { name: 'Recarregar' })
      .click()
    await expect.element(clientId).toHaveValue('de-outra-janela')
    await clientId.fill('meu-nome')
    await save.click()
    await expect.element(aviso('Configurações salvas com sucesso!')).toBeVisible()
    expect(screen.server.config).toMatchObject({ versao: 5, whatsapp: { clientId: 'meu-nome' } })
  })

  it('refetches after a failed save and shows each fault beside its field', async () => {
    const { api } = abrir()
    api.on('PUT /config', () =>
      refusal(400, 'dadosInvalidos', 'Dados inválidos', {
        detalhes: [{ caminho: 'whatsapp.clientId', mensagem: 'Nome reservado' }],
      }),
    )
    await clientId.fill('admin')
    const before = api.calls.filter(({ route }) => route === 'GET /config').length
    await save.click()
    await expect.element(aviso('Erro ao salvar configurações: Dados inválidos')).toBeVisible()
    await expect.element(clientId).toHaveAccessibleDescription(/Nome reservado/)
    expect(api.calls.filter(({ route }) => route === 'GET /config').length).toBe(before + 1)
  })

  it('reloads and tests the connection, with a text per result', async () => {
    const { api } = abrir()
    await page.getByRole('button', { name: 'Testar conexão' }).click()
    await expect.element(aviso('Conexão com o backend estabelecida!')).toBeVisible()
    api.on('GET /health', () => ({ status: 503, body: '' }))
    await page.getByRole('button', { name: 'Testar conexão' }).click()
    await expect.element(aviso('Não foi possível conectar ao backend')).toBeVisible()
    api.on('GET /health', () => {
      throw new TypeError('network')
    })
    await page.getByRole('button', { name: 'Testar conexão' }).click()
    await expect
      .element(aviso('Erro ao testar conexão: Erro de rede: Verifique se o servidor está rodando'))
      .toBeVisible()
    const reload = page.getByRole('main').getByRole('button', { name: 'Recarregar' })
    await reload.click()
    await expect.element(aviso('Configurações recarregadas!')).toBeVisible()
    api.on('GET /config', () => refusal(500, 'interno', 'Falhou'))
    await reload.click()
    await expect.element(aviso('Erro ao recarregar configurações: Falhou')).toBeVisible()
  })

  it('asks before leaving with unsaved edits and follows the choice', async () => {
    abrir()
    await clientId.fill('outro')
    const loja = page.getByRole('complementary', { name: 'Menu' }).getByRole('link', { name: 'Loja' })
    await loja.click()
    const pergunta = page.getByRole('alertdialog', { name: 'Sair sem salvar?' })
    await pergunta.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(clientId).toHaveValue('outro')
    await loja.click()
    await pergunta.getByRole('button', { name: 'Sair sem salvar' }).click()
    await expect.element(page.getByRole('heading', { level: 1, name: 'Loja' })).toBeVisible()
  })

  it('falls back to the defaults, refuses to save them and retries', async () => {
    const { api, server } = abrir()
    api.on('GET /config', () => refusal(403, 'semPermissao', 'x'))
    await expect.element(page.getByText(/mostrando os valores iniciais/)).toBeVisible()
    await expect.element(save).toBeDisabled()
    api.on('GET /config', () => ok({ sucesso: true, config: server.config }))
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(clientId).toHaveValue('padaria-aurora')
    await expect.element(save).toBeEnabled()
  })

  it('lists versions, restores one with undo and never overwrites another save', async () => {
    const screen = abrir()
    const { api, server } = screen
    const version = (n: number) => ({
      versao: n,
      criadaEm: '2025-11-20T12:00:00.000Z',
      autor: 'Ana',
      atual: n === server.config.versao,
      guardada: n !== 2,
    })
    api.on('GET /config/versoes', () =>
      ok({ versoes: Array.from({ length: server.config.versao }, (_, i) => version(server.config.versao - i)) }),
    )
    const restauraveis = { 1: 'primeira', 3: 'padaria-aurora' }
    for (const [n, nome] of Object.entries(restauraveis)) {
      api.on(`POST /config/versoes/${n}/restaurar`, ({ body }) => {
        const recusa = recusaDeVelha(screen, body)
        if (recusa !== null) return recusa
        server.config = makeConfig(nome, server.config.versao + 1)
        return ok({ sucesso: true, config: server.config })
      })
    }
    await page.getByText('Histórico da configuração').click()
    await expect.element(page.getByText('Conteúdo não guardado')).toBeVisible()
    await expect
      .element(page.getByRole('button', { name: 'Restaurar a versão 2', exact: true }))
      .not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Restaurar a versão 1', exact: true }).click()
    await expect.element(aviso('Versão 1 restaurada.')).toBeVisible()
    await expect.element(clientId).toHaveValue('primeira')
    await expect.element(page.getByText('Versão 4')).toBeVisible()
    await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
    await expect.element(clientId).toHaveValue('padaria-aurora')
    server.config = makeConfig('da-outra', server.config.versao + 1)
    await page.getByRole('button', { name: 'Restaurar a versão 1', exact: true }).click()
    await expect.element(aviso(ALTERADA)).toBeVisible()
    await expect.element(clientId).toHaveValue('da-outra')
  })
})

describe('Primeiros passos', () => {
  it('checks itself against real data and can be hidden and restored', async () => {
    abrir()
    const lista = page.getByRole('region', { name: 'Primeiros passos' })
    await expect.element(lista.getByText('3 de 6 concluídos')).toBeVisible()
    await expect
      .element(lista.getByRole('link', { name: /Personalize o menu/ }))
      .toHaveAttribute('href', '/dashboard?aba=mensagens')
    await lista.getByRole('button', { name: 'Dispensar' }).click()
    await expect.poll(() => lista.query()).toBeNull()
    await page.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Desfazer' }).click()
    await expect.element(lista).toBeVisible()
  })

  it('disappears when complete and suggests the AI until dismissed', async () => {
    const config = makeConfig()
    abrir({
      config: { ...config, menu: { ...config.menu, menuPrincipal: 'Meu menu' } },
      bot: makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true }),
      mensagensNoMes: 10,
    })
    await expect.element(page.getByText('Bot online')).toBeVisible()
    await expect.poll(() => page.getByText('Primeiros passos').query()).toBeNull()
    const suggestion = page.getByRole('region', { name: 'Que tal uma assistente de IA?' })
    await expect
      .element(suggestion.getByRole('link', { name: 'Conhecer a IA' }))
      .toHaveAttribute('href', '/dashboard?aba=ia')
    await suggestion.getByRole('button', { name: 'Agora não' }).click()
    await expect.poll(() => suggestion.query()).toBeNull()
    expect(localStorage.getItem(`sugestao-ia-dispensada:${CONTA_ID}`)).toBe('sim')
  })
})

it('passes axe in both themes and widths with unsaved edits, and shows their buttons in one place', async () => {
  abrir({ bot: makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: '2@abc', qr: '2@abc' }) })
  await expect.element(qrCode).toBeVisible()
  await clientId.fill('outro')
  await expectAccessible()
  await page.viewport(1280, 500)
  page.getByRole('heading', { name: 'Configuração do Sistema' }).element().scrollIntoView({ block: 'center' })
  await expect.element(save).toBeVisible()
  scrollTo(0, document.body.scrollHeight)
  await expect.element(save).not.toBeInTheDocument()
  await page.getByRole('region', { name: 'Alterações não salvas' }).getByRole('button', { name: 'Descartar' }).click()
  await expect.element(clientId).not.toHaveValue('outro')
})
