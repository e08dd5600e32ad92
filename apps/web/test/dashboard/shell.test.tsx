import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { fakeSocket } from './fake-socket.ts'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { shortenWaits } from '#test/short-waits.ts'
import { CONTA_ID, openPanel, type PanelTestApp, type PanelServer, makeConfig, makeBotStatus } from './panel.tsx'

let painel: PanelTestApp | null = null
function abrir(address: string, inicial?: Partial<PanelServer>): PanelTestApp {
  painel = openPanel(address, inicial)
  return painel
}

afterEach(() => painel?.unmount())

const FILA_VAZIA = { emAtendimento: 0, finalizadasHoje: 0, porSetor: [], tempoMedioRespostaMs: null }
const menu = page.getByRole('complementary', { name: 'Menu' })
/** Opens the closed group first. */
async function chooseQuickAction(name: string): Promise<void> {
  await menu.getByText('Ações rápidas').click()
  await menu.getByRole('button', { name }).click()
}
const titulo = (nome: string) => page.getByRole('heading', { level: 1, name: nome })

describe('Side menu', () => {
  it('shows name, plan and usage of the day', async () => {
    abrir('/dashboard', { mensagensHoje: 742 })
    await expect.element(menu.getByText('Ana Ribeiro')).toBeVisible()
    await expect.element(menu.getByText('ana@aurora.com.br')).toBeVisible()
    await expect.element(menu.getByText('GRATUITO')).toBeVisible()
    await expect.element(menu.getByText('742 / 1.000')).toBeVisible()
    await expect.element(menu.getByText('74,2% usado')).toBeVisible()
    await expect.poll(() => document.title).toBe('Geral · Balcão')
  })

  it.each([
    [{}, '1.000 mensagens/dia · IA incluída · menu sem limite'],
    [
      { limiteDiario: 500, recursos: { iaPermitida: false, opcoesMenuMaximo: 5 } },
      '500 mensagens/dia · sem IA · até 5 opções',
    ],
  ])('shows the limits of the account under the plan: %#', async (server, line) => {
    abrir('/dashboard', server)
    await expect.element(menu.getByText('GRATUITO')).toBeVisible()
    await expect.element(menu.getByText(line)).toBeVisible()
  })

  it('shows no limits to an operador', async () => {
    localStorage.setItem('menu-do-painel', 'aberto')
    abrir('/dashboard?aba=atendimento', { usuario: makeUsuario({ tipo: 'operador', setores: [] }) })
    await expect.element(menu.getByText('OPERADOR')).toBeVisible()
    // The answer with the limits draws the meter.
    await expect.element(menu.getByRole('meter')).toBeVisible()
    expect(menu.getByText(/mensagens\/dia/).query()).toBeNull()
  })

  it('logs one line per failed load of the usage and shows nothing', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { api } = abrir('/dashboard')
    api.on('GET /usuario/estatisticas', () => refusal(400, 'dadosInvalidos', 'Ana Segredo'))
    const loads = (): number => api.calls.filter(({ route }) => route === 'GET /usuario/estatisticas').length
    await expect.element(menu.getByText('Ana Ribeiro')).toBeVisible()
    await expect.poll(() => loads() > 0 && logged.mock.calls.length === loads()).toBe(true)
    expect(new Set(logged.mock.calls.map((line) => line.join()))).toEqual(
      new Set(['usage statistics not loaded,ApiError']),
    )
    expect(page.getByText('Ana Segredo').query()).toBeNull()
    logged.mockRestore()
  })

  it('folds to icons, remembers it and starts folded only in the inbox of a small computer', async () => {
    const app = abrir('/dashboard')
    const width = (): number => menu.element().getBoundingClientRect().width
    await menu.getByRole('button', { name: 'Dobrar o menu' }).click()
    await expect.poll(width).toBe(64)
    await expect.element(menu.getByRole('link', { name: 'Loja' })).toBeVisible()
    await expectAccessible()
    app.unmount()
    abrir('/dashboard')
    await expect.element(menu.getByRole('button', { name: 'Abrir o menu' })).toBeVisible()
    await menu.getByRole('button', { name: 'Abrir o menu' }).click()
    await expect.element(menu.getByText('Ana Ribeiro')).toBeVisible()
    painel?.unmount()
    localStorage.removeItem('menu-do-painel')
    abrir('/dashboard?aba=atendimento')
    await expect.poll(width).toBe(64)
    await page.viewport(1600, 900)
    await expect.poll(width).toBe(272)
  })

  it('says under the header what a tab is for, except in the inbox', async () => {
    abrir('/dashboard?aba=geral')
    const purpose = page.getByRole('main').getByText('Conectar o WhatsApp, ligar o bot e configurar o sistema.')
    await expect.element(purpose).toBeVisible()
    await menu.getByRole('link', { name: 'Atendimento' }).click()
    await expect.element(page.getByRole('searchbox', { name: /^Buscar/ })).toBeVisible()
    expect(document.querySelector('main [data-aba]')).toBeNull()
  })

  it('shows at most five entries on a phone and opens the others by Mais', async () => {
    await page.viewport(360, 740)
    abrir('/dashboard')
    const bar = page.getByRole('navigation', { name: 'Abas' })
    await expect.element(bar).toBeVisible()
    expect([...bar.element().children].map((one) => one.textContent)).toHaveLength(5)
    await bar.getByRole('button', { name: 'Mais' }).click()
    await menu.getByRole('link', { name: 'Loja' }).click()
    await expect.element(titulo('Loja')).toBeVisible()
    await expect.element(bar.getByRole('button', { name: 'Mais' })).toHaveAttribute('aria-current', 'page')
  })

  it.each([
    [700, 'verde', 70],
    [701, 'amarelo', 70.1],
    [900, 'amarelo', 90],
    [901, 'vermelho', 90.1],
    [1300, 'vermelho', 100],
  ])('colours %d of 1000 messages %s and fills the bar to %d', async (mensagensHoje, color, full) => {
    abrir('/dashboard', { mensagensHoje })
    await expect.element(menu.getByRole('meter', { name: 'Mensagens Hoje' })).toBeVisible()
    const bar = document.querySelector<HTMLElement>('[data-uso]')
    expect(bar?.dataset['uso']).toBe(color)
    expect(bar?.querySelector<HTMLElement>('[role=meter] > div')?.style.width).toBe(`${full}%`)
  })

  it.each(['/dashboard', '/ajuda'])('links the plan Doação to the support on %s', async (address) => {
    abrir(address, { usuario: makeUsuario({ plano: 'doacao' }), suporte: '5511987654321' })
    const support = page.getByRole('link', { name: /^Falar com o suporte/ })
    await expect.element(support).toHaveAttribute('href', 'https://wa.me/5511987654321')
    await expect.element(support).toHaveAttribute('rel', 'noopener noreferrer')
    await expect.element(support).toHaveAttribute('target', '_blank')
  })

  it('fits the help page with the support link into 320 px', async () => {
    await page.viewport(320, 640)
    onTestFinished(() => page.viewport(1366, 800))
    abrir('/ajuda', { usuario: makeUsuario({ plano: 'doacao' }), suporte: '5511987654321' })
    await expect.element(page.getByRole('link', { name: /^Falar com o suporte/ })).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Voltar ao painel' })).toBeInViewport({ ratio: 1 })
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
  })

  it('adds the country to a number without one', async () => {
    abrir('/dashboard', { usuario: makeUsuario({ plano: 'doacao' }), suporte: '11987654321' })
    const support = menu.getByRole('link', { name: /^Falar com o suporte/ })
    await expect.element(support).toHaveAttribute('href', 'https://wa.me/5511987654321')
  })

  it.each([
    ['doacao', ''],
    ['gratuito', '5511987654321'],
  ] as const)('shows no support link on plan %s with number "%s"', async (plano, suporte) => {
    const { api } = abrir('/dashboard', { usuario: makeUsuario({ plano }), suporte })
    await expect.element(menu.getByText(/mensagens\/dia/)).toBeVisible()
    const asked = (): boolean => api.calls.some(({ route }) => route === 'GET /auth/opcoes')
    await expect.poll(asked).toBe(plano === 'doacao')
    expect(menu.element().querySelector('li:empty')).toBeNull()
    // The next screen loads after the answer with the number.
    await menu.getByRole('link', { name: 'Ajuda' }).click()
    await expect.element(page.getByRole('link', { name: 'Voltar ao painel' })).toBeVisible()
    expect(page.getByRole('link', { name: /^Falar com o suporte/ }).query()).toBeNull()
  })

  it('fits a long name and a long e-mail', async () => {
    abrir('/dashboard', {
      usuario: makeUsuario({ nome: 'Ana '.repeat(20), email: `${'a'.repeat(80)}@aurora.com.br` }),
    })
    await expect.element(menu.getByRole('button', { name: 'Sair' })).toBeInViewport({ ratio: 1 })
  })

  it('links administrators to /admin and shows no usage', async () => {
    abrir('/dashboard', { usuario: makeUsuario({ tipo: 'admin' }), limiteDiario: null })
    await expect.element(menu.getByRole('link', { name: 'Administração' })).toHaveAttribute('href', '/admin')
    await expect.element(page.getByRole('heading', { name: 'Status do Bot' })).toBeVisible()
    await expect.poll(() => menu.getByRole('meter').query()).toBeNull()
  })

  it('follows the socket: status, online and active conversas', async () => {
    const { api } = abrir('/dashboard')
    await expect.element(menu.getByText('Online', { exact: true })).toBeVisible()
    await expect.element(menu.getByText('Parado', { exact: true })).toBeVisible()
    // From here on only the socket sends the status: a poll would return the old one.
    api.on('GET /bot/status', () => new Promise(() => undefined))
    fakeSocket.emit('botConversaAtiva', { userId: CONTA_ID, id: 'k1', telefone: '55', nome: 'Marina' })
    await expect.element(menu.getByText('1', { exact: true })).toBeVisible()
    fakeSocket.emit('botStatusChange', { userId: CONTA_ID, status: 'CONECTADO' })
    await expect.element(menu.getByText('Conectado', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('status').filter({ hasText: 'Bot conectado!' })).toBeVisible()
    fakeSocket.emit('botStatusChange', { userId: 'outra-conta', status: 'ERRO' })
    await expect.element(menu.getByText('Conectado', { exact: true })).toBeVisible()
    fakeSocket.drop()
    await expect.element(menu.getByText('Offline', { exact: true })).toBeVisible()
    await expect.element(page.getByRole('banner').getByText('Reconectando…')).toBeVisible()
  })

  it('reports a failed first connection and shows no notice for a successful one', async () => {
    shortenWaits()
    fakeSocket.drop()
    abrir('/dashboard')
    const aviso = page.getByRole('alert').filter({ hasText: 'Erro na conexão em tempo real' })
    await expect.element(aviso).toBeVisible()
    await expect.element(menu.getByText('Offline', { exact: true })).toBeVisible()
    fakeSocket.restore()
    await expect.element(menu.getByText('Online', { exact: true }), { timeout: 15_000 }).toBeVisible()
  })

  it('retries when the server refuses connections for a moment', async () => {
    shortenWaits()
    fakeSocket.refuseForNow()
    abrir('/dashboard')
    const aviso = page.getByRole('alert').filter({ hasText: 'Erro na conexão em tempo real' })
    await expect.element(aviso).toBeVisible()
    fakeSocket.restore()
    await expect.element(menu.getByText('Online', { exact: true }), { timeout: 15_000 }).toBeVisible()
  })

  it('refetches data missed while the connection was down', async () => {
    shortenWaits()
    const { api, server } = abrir('/dashboard')
    await expect.element(menu.getByText('120 / 1.000')).toBeVisible()
    await expect.element(menu.getByText('Online', { exact: true })).toBeVisible()
    fakeSocket.drop()
    await expect.element(menu.getByText('Offline', { exact: true })).toBeVisible()
    server.mensagensHoje = 500
    server.bot = makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true })
    const before = api.calls.filter(({ route }) => route === 'GET /bot/status').length
    fakeSocket.restore()
    await expect.element(menu.getByText('500 / 1.000')).toBeVisible()
    await expect.element(menu.getByText('Conectado', { exact: true })).toBeVisible()
    expect(api.calls.filter(({ route }) => route === 'GET /bot/status').length).toBeGreaterThan(before)
  })

  it('refetches data that only events update after the first connection', async () => {
    shortenWaits()
    fakeSocket.drop()
    const { api } = abrir('/dashboard')
    const queue = (aguardando: number) => () => ok({ ...FILA_VAZIA, total: aguardando, aguardando })
    api.on('GET /atendimento/estatisticas', queue(0))
    await expect.poll(() => api.calls.some(({ route }) => route === 'GET /atendimento/estatisticas')).toBe(true)
    api.on('GET /atendimento/estatisticas', queue(2))
    fakeSocket.restore()
    await expect.poll(() => document.title, { timeout: 15_000 }).toBe('(2) Geral · Balcão')
  })
})

describe('Permissions', () => {
  const semIa = makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, iaChatbot: false } })

  it('lists a locked tab and opens it as Acesso Restrito', async () => {
    abrir('/dashboard', { usuario: semIa })
    const link = menu.getByRole('link', { name: /IA.*sem permissão/ })
    await expect.element(link).toBeVisible()
    await link.click()
    await expect.element(page.getByRole('heading', { name: 'Acesso Restrito' })).toBeVisible()
    await expect.element(page.getByText('Você não tem permissão para acessar este componente.')).toBeVisible()
    expect(location.search).toBe('?aba=ia')
  })

  it('opens the first permitted tab by default', async () => {
    abrir('/dashboard', {
      usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, configuracaoGeral: false } }),
    })
    await expect.element(titulo('Mensagens')).toBeVisible()
  })

  it('leaves a tab whose permission was withdrawn and says so', async () => {
    shortenWaits()
    const { server } = abrir('/dashboard?aba=ia')
    await expect.element(page.getByRole('heading', { name: 'Provedor e modelo' })).toBeVisible()
    await expect.element(menu.getByText('Online', { exact: true })).toBeVisible()
    server.usuario = semIa
    fakeSocket.drop()
    await expect.element(menu.getByText('Offline', { exact: true })).toBeVisible()
    fakeSocket.restore()
    await expect.element(titulo('Geral')).toBeVisible()
    await expect.element(page.getByText('Seu acesso a IA foi retirado.').first()).toBeVisible()
  })

  it('shows every tab while the permissions load', async () => {
    const { api } = abrir('/dashboard', { usuario: semIa })
    api.on('GET /usuario/estatisticas', () => new Promise(() => undefined))
    await expect.element(menu.getByRole('link', { name: 'IA', exact: true })).toBeVisible()
  })

  it('shows everything to administrators', async () => {
    const admin = makeUsuario({ tipo: 'admin', componentesPermitidos: { ...ALL_PERMISSIONS, iaChatbot: false } })
    abrir('/dashboard?aba=ia', { usuario: admin, limiteDiario: null })
    await expect.element(page.getByRole('heading', { name: 'Provedor e modelo' })).toBeVisible()
    await expect.poll(() => menu.getByText('sem permissão').query()).toBeNull()
  })
})

describe('Header', () => {
  const header = page.getByRole('banner')
  const wordsWidth = (text: string): number => header.getByText(text).element().getBoundingClientRect().width
  const VIEWS = [
    [320, true, false],
    [639, true, false],
    [640, false, false],
    [768, false, false],
    [1279, false, false],
    [1280, false, true],
    [1366, false, true],
  ] as const

  it.each(VIEWS)('shows at %i px whether the configuration is loaded', async (width, missingIconOnly, loadedWords) => {
    await page.viewport(width, 740)
    abrir('/dashboard?aba=ia')
    await expect.element(header.getByText('Configuração carregada')).toBeVisible()
    expect(wordsWidth('Configuração carregada') > 1).toBe(loadedWords)
    const chip = header.getByText('Configuração carregada').element().closest('[data-tip]')
    expect(chip?.getAttribute('data-tip')).toBe('Configuração carregada')
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    painel?.unmount()
    const { api } = abrir('/dashboard')
    api.on('GET /config', () => refusal(400, 'desconhecido', 'Erro ao carregar configuração'))
    await expect.element(header.getByText('Configuração não carregada')).toBeVisible()
    expect(wordsWidth('Configuração não carregada') > 1).toBe(!missingIconOnly)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(width)
    await page.viewport(1366, 800)
  })
})

it('says once on the tab Geral that the configuration is loaded', async () => {
  abrir('/dashboard')
  await expect.element(page.getByRole('main').getByText('Configuração carregada').first()).toBeVisible()
  const inHeader = page.getByRole('banner').getByText('Configuração carregada')
  expect(inHeader.element().getBoundingClientRect().width).toBe(1)
})

describe('Quick actions', () => {
  it('starts the bot with Setup Rápido and shows each step in one notice', async () => {
    shortenWaits()
    const { api, server } = abrir('/dashboard')
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const started = { ...makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: 'q', qr: 'q' }) }
    await expect.element(page.getByText('Configuração carregada').first()).toBeVisible()
    api.on('GET /config', () => gates[0].promise.then(() => ok({ sucesso: true, config: server.config })))
    api.on('POST /bot/iniciar', () => gates[1].promise.then(() => ok({ ...started, mensagem: 'ok' })))
    await chooseQuickAction('Setup Rápido')
    const step = page.getByRole('region', { name: 'Avisos' }).getByText(/^\d\/3 /)
    await expect.element(step).toMatchTextContent('1/3 Conferindo a configuração…')
    gates[0].resolve()
    await expect.element(step).toMatchTextContent('2/3 Iniciando o bot…')
    api.on('GET /bot/status', () => gates[2].promise.then(() => ok(started)))
    gates[1].resolve()
    await expect.element(step).toMatchTextContent('3/3 Verificando o status…')
    gates[2].resolve()
    await expect.element(page.getByText('Bot iniciado! Configuração rápida concluída!').first()).toBeVisible()
    await expect.poll(() => step.query()).toBeNull()
  })

  it('keeps the QR code when the answer arrives after the socket event', async () => {
    const { api, server } = abrir('/dashboard?aba=geral')
    await expect.element(page.getByRole('banner').getByText('Online', { exact: true })).toBeVisible()
    let reply = (): void => undefined
    const wait = new Promise<void>((resolve) => (reply = resolve))
    const starting = makeBotStatus({ status: 'INICIALIZANDO', inicializado: true })
    api.on('POST /bot/iniciar', async () => {
      await wait
      return ok({ ...starting, mensagem: 'ok' })
    })
    await page.getByRole('button', { name: 'Iniciar bot' }).click()
    server.bot = makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: '2@abc', qr: '2@abc' })
    fakeSocket.emit('botStatusChange', { userId: CONTA_ID, status: 'AGUARDANDO_QR' })
    fakeSocket.emit('botQrCode', { userId: CONTA_ID, qrCode: '2@abc' })
    const code = page.getByRole('img', { name: 'QR Code' })
    await expect.element(code).toBeVisible()
    reply()
    await expect.element(page.getByText('Bot iniciado! Aguarde a conexão...').first()).toBeVisible()
    expect(code.query()).not.toBeNull()
  })

  it('opens the tab of the Client ID when Setup Rápido lacks it', async () => {
    abrir('/dashboard?aba=ia', { config: makeConfig('') })
    await expect.element(page.getByText('Configuração carregada').first()).toBeVisible()
    await chooseQuickAction('Setup Rápido')
    await expect
      .element(page.getByText('Configure o Client ID primeiro na aba Configurações Gerais!').first())
      .toBeVisible()
    await expect.element(titulo('Geral')).toBeVisible()
  })

  it('stops a running bot after a confirmation of Limpar Sessão', async () => {
    shortenWaits()
    const { api } = abrir('/dashboard', {
      bot: makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true }),
    })
    const stopped = () => ok({ ...makeBotStatus(), mensagem: 'ok' })
    api.on('POST /bot/parar', stopped)
    api.on('POST /bot/limpar-sessao', stopped)
    await expect.element(menu.getByText('Conectado', { exact: true })).toBeVisible()
    await chooseQuickAction('Limpar Sessão')
    const pergunta = page.getByRole('alertdialog', { name: 'Limpar a sessão da conexão padaria-aurora?' })
    await expect.element(pergunta.getByRole('button', { name: 'Voltar' })).toHaveFocus()
    await pergunta.getByRole('button', { name: 'Limpar sessão' }).click()
    await expect
      .element(page.getByText('Sessão limpa! Inicie o bot novamente para gerar novo QR Code.').first())
      .toBeVisible()
    const requests = api.calls.map(({ route }) => route).filter((rota) => rota.startsWith('POST /bot'))
    expect(requests).toEqual(['POST /bot/parar', 'POST /bot/limpar-sessao'])
  })

  it('shows the reason when the session could not be cleared', async () => {
    const { api } = abrir('/dashboard')
    api.on('POST /bot/limpar-sessao', () => ({ status: 500, body: 'x' }))
    await chooseQuickAction('Limpar Sessão')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Limpar sessão' }).click()
    await expect.element(page.getByText('Erro ao limpar sessão: Falha ao limpar sessão').first()).toBeVisible()
  })

  it('reports success and failure of Verificar Status Bot', async () => {
    shortenWaits()
    const { api } = abrir('/dashboard')
    const verificar = menu.getByRole('button', { name: 'Verificar Status Bot' })
    await chooseQuickAction('Verificar Status Bot')
    const noTopo = page.getByRole('region', { name: 'Avisos' })
    await expect.element(noTopo.getByText('Status do bot verificado!')).toBeVisible()
    await verificar.click()
    // A repeated notice is on screen once; the Central keeps both.
    await page.getByRole('button', { name: /Central de avisos/ }).click()
    const central = page.getByRole('region', { name: 'Central de avisos' })
    await expect.element(central.getByText('Status do bot verificado!').nth(1)).toBeVisible()
    await expect.poll(() => noTopo.getByText('Status do bot verificado!').elements().length).toBe(1)
    await userEvent.keyboard('{Escape}')
    await expect.element(central).not.toBeInTheDocument()
    api.on('GET /bot/status', () => refusal(500, 'interno', 'x'))
    await verificar.click()
    await expect.element(noTopo.getByText('Erro ao verificar status do bot')).toBeVisible()
  })

  it('ends the session and opens the login on Sair, despite unsaved edits', async () => {
    abrir('/dashboard')
    await page.getByLabelText('Client ID').fill('outro')
    await menu.getByRole('button', { name: 'Sair' }).click()
    await expect.element(page.getByText('Logout realizado com sucesso').first()).toBeVisible()
    await expect.poll(() => location.pathname).toBe('/login')
    expect(localStorage.getItem('token')).toBeNull()
  })
})

/** The number counts for one second after G. A busy machine may take longer, so try again. */
async function irPara(teclas: string, aba: string): Promise<void> {
  await expect
    .poll(async () => {
      await userEvent.keyboard(teclas)
      return titulo(aba).query() !== null
    })
    .toBe(true)
}

describe('Keyboard', () => {
  it('finds a tab without accents by Ctrl K and opens it with Enter', async () => {
    abrir('/dashboard')
    await expect.element(menu).toBeVisible()
    await userEvent.keyboard('{Control>}k{/Control}')
    const field = page.getByRole('combobox', { name: 'Buscar ou executar' })
    await expect.element(field).toHaveFocus()
    await userEvent.keyboard('loja')
    await expect.element(page.getByRole('option', { name: /Ir para Loja/ })).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{Enter}')
    await expect.element(titulo('Loja')).toBeVisible()
    await expect.poll(() => field.query()).toBeNull()
  })

  it('moves in the palette by arrows, runs an action and closes with Esc', async () => {
    abrir('/dashboard')
    await expect.element(menu).toBeVisible()
    await page
      .getByRole('button', { name: /Buscar ou executar/ })
      .first()
      .click()
    await userEvent.keyboard('usar tema')
    await userEvent.keyboard('{ArrowDown}{ArrowUp}{Enter}')
    expect(document.documentElement.dataset['theme']).toBe('dark')
    await userEvent.keyboard('{Control>}k{/Control}')
    await expect.element(page.getByRole('listbox', { name: 'Comandos' })).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => page.getByRole('listbox', { name: 'Comandos' }).query()).toBeNull()
  })

  it('changes the tab by G and a number, except while typing or switched off', async () => {
    abrir('/dashboard')
    await expect.element(page.getByLabelText('Client ID')).toBeVisible()
    await irPara('g5', 'Atendimento')
    await irPara('g6', 'Loja')
    await userEvent.keyboard('1')
    await expect.element(titulo('Loja')).toBeVisible()
    await irPara('g1', 'Geral')
    await page.getByLabelText('Client ID').fill('')
    await userEvent.keyboard('g6')
    await expect.element(page.getByLabelText('Client ID')).toHaveValue('g6')
    await page.getByRole('button', { name: 'Descartar' }).click()
    await userEvent.keyboard('{Shift>}?{/Shift}')
    const ajuda = page.getByRole('dialog', { name: 'Atalhos do teclado' })
    await ajuda.getByRole('switch', { name: /Atalhos de uma tecla/ }).click()
    await userEvent.keyboard('{Escape}')
    await userEvent.keyboard('g6')
    await expect.element(titulo('Geral')).toBeVisible()
  })
})

describe('Kept notices', () => {
  const kept = (id: string, fields: object = {}) => ({
    ...{
      id,
      tipo: 'mencao',
      texto: `Bia mencionou você: ${id}`,
      conversaId: 'c1',
      criadoEm: '2026-11-21T15:00:00.000Z',
    },
    ...fields,
  })

  it('counts what arrived while the panel was closed, follows new ones and marks all as read', async () => {
    const app = abrir('/dashboard')
    app.api.on('GET /avisos', () => ok({ avisos: [kept('a1')], naoLidos: 1, proximoCursor: null }))
    app.api.on('PUT /avisos/lidos', () => ({ status: 204 }))
    // Without an answer no notice says that the conversa is unknown.
    app.api.on('GET /atendimento/conversas/c1', () => new Promise(() => undefined))
    const bell = page.getByRole('button', { name: /Central de avisos/ })
    await expect.element(bell).toHaveAccessibleName(/ 1 não lido/)
    await expect.poll(fakeSocket.connectionCount).toBe(1)
    fakeSocket.emit('avisoNovo', { userId: 'outra-conta', aviso: { ...kept('x'), tipo: 'mencao' } })
    fakeSocket.emit('avisoNovo', { userId: CONTA_ID, aviso: { ...kept('a2'), tipo: 'lembrete' } })
    await expect.element(bell).toHaveAccessibleName(/ 2 não lidos/)
    await bell.click()
    const mine = page.getByRole('list', { name: 'Para você' })
    await expect.element(mine.getByText('Bia mencionou você: a2')).toBeVisible()
    expect(mine.getByRole('listitem').elements()).toHaveLength(2)
    await expect
      .poll(() => app.api.calls.filter(({ route }) => route === 'PUT /avisos/lidos').map(({ body }) => body))
      .toEqual([{ ate: 'a2' }])
    await expectAccessible()
    const link = mine.getByRole('link', { name: 'Abrir conversa' }).first()
    await expect.element(link).toHaveAttribute('href', expect.stringContaining('c=c1'))
    await expect.element(bell).toHaveAccessibleName('Central de avisos')
    await link.click()
    await expect.poll(() => location.search).toContain('aba=atendimento')
  })
})

describe('Small screens', () => {
  it('slides the menu in, keeps the focus inside and restores it', async () => {
    await page.viewport(360, 740)
    abrir('/dashboard')
    await page.getByRole('button', { name: 'Abrir menu' }).click()
    await expect.element(menu.getByRole('button', { name: 'Fechar menu' })).toHaveFocus()
    await expect.element(menu.getByText('Ana Ribeiro')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('button', { name: 'Abrir menu' })).toHaveFocus()
    await page.getByRole('navigation', { name: 'Abas' }).getByRole('link', { name: 'Contatos' }).click()
    await expect.element(titulo('Contatos')).toBeVisible()
    await page.viewport(1366, 800)
  })
})

it('passes axe in both themes and widths, open or locked', async () => {
  abrir('/dashboard?aba=loja', {
    usuario: makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, iaChatbot: false } }),
    mensagensHoje: 742,
  })
  await expect.element(titulo('Loja')).toBeVisible()
  await expectAccessible()
  await menu.getByRole('link', { name: /IA/ }).click()
  await expect.element(page.getByRole('heading', { name: 'Acesso Restrito' })).toBeVisible()
  await expectAccessible()
})
