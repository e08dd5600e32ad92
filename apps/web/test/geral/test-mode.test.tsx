import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeBotStatus, makeConfig, openPanel, type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { makeSistemaStatus } from '#test/logs/tab.ts'
import { makeUsuario } from '#test/render.tsx'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const SIMULATED = makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true, modoTeste: true })
const BAND = 'Modo de teste: nenhum cliente real recebe mensagens'
const band = page.getByText(BAND)
const connect = page.getByRole('status').getByRole('button', { name: 'Conectar o WhatsApp' })
const dialog = page.getByRole('dialog', { name: 'Conectar o WhatsApp' })

function open(url: string, initial: Partial<PanelServer> = {}): PanelTestApp {
  painel = openPanel(url, { bot: SIMULATED, ...initial })
  return painel
}

/** A server that saves the connector, stops, and starts with the given status. */
function serveConnect({ api, server }: PanelTestApp, started: ReturnType<typeof makeBotStatus>): void {
  api.on('PUT /config', ({ body }) => {
    server.config = { ...server.config, ...Object(body), versao: server.config.versao + 1 }
    return ok({ sucesso: true, config: server.config })
  })
  api.on('POST /bot/parar', () => {
    server.bot = makeBotStatus()
    return ok({ ...server.bot, mensagem: 'ok' })
  })
  api.on('POST /bot/iniciar', () => {
    server.bot = started
    return ok({ ...started, mensagem: 'ok' })
  })
}

const WAITING = makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: '2@abc', qr: '2@abc' })

describe('Test mode', () => {
  it.each(['/dashboard?aba=geral', '/dashboard?aba=mensagens', '/dashboard?aba=logs', '/simulador'])(
    'shows the band on %s',
    async (url) => {
      open(url)
      await expect.element(band).toBeVisible()
      await expect.element(connect).toBeVisible()
    },
  )

  it('shows no band with a real connector', async () => {
    open('/dashboard?aba=geral', { bot: makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true }) })
    await expect.element(page.getByText('Tudo certo: o bot está respondendo seus clientes.')).toBeVisible()
    expect(band.query()).toBeNull()
  })

  it('claims no served customers in Geral and Logs', async () => {
    open('/dashboard?aba=geral')
    await expect.element(page.getByText('O bot está respondendo no simulador.', { exact: false })).toBeVisible()
    expect(page.getByText('respondendo seus clientes', { exact: false }).query()).toBeNull()
    painel?.unmount()
    const { api } = open('/dashboard?aba=logs')
    api.on('GET /sistema/status', () => ok(makeSistemaStatus()))
    await expect.element(page.getByText('Simulador: Conectado')).toBeVisible()
    expect(page.getByText('Sinal forte').query()).toBeNull()
  })

  it('keeps the button from a person without the settings', async () => {
    const usuario = makeUsuario()
    const componentesPermitidos = { ...usuario.componentesPermitidos, configuracaoGeral: false }
    open('/dashboard?aba=mensagens', { usuario: { ...usuario, componentesPermitidos } })
    await expect.element(band).toBeVisible()
    expect(connect.query()).toBeNull()
  })

  it('connects the simulator by a button instead of a QR code', async () => {
    const { api, server } = open('/dashboard?aba=geral', { bot: { ...WAITING, modoTeste: true } })
    const button = page.getByRole('button', { name: 'Conectar o simulador' })
    await expect.element(button).toBeVisible()
    expect(page.getByRole('img', { name: 'QR Code' }).query()).toBeNull()
    api.on('POST /simulador/escanear', () => {
      server.bot = SIMULATED
      return ok({ sucesso: true })
    })
    await button.click()
    await expect.element(page.getByText('O simulador está conectado.')).toBeVisible()
  })
})

describe('Conectar o WhatsApp', () => {
  it('saves the connector with a Client ID, restarts the bot and shows the QR code', async () => {
    const screen = open('/dashboard?aba=mensagens', {
      config: makeConfig(''),
      usuario: makeUsuario({ empresa: 'Padaria São João' }),
    })
    serveConnect(screen, WAITING)
    await connect.click()
    await expectAccessible()
    await dialog.getByRole('radio', { name: /^WhatsApp O bot usa/ }).click()
    await dialog.getByRole('button', { name: 'Salvar e conectar' }).click()
    await expect.element(dialog.getByRole('img', { name: 'QR Code' })).toBeVisible()
    await expect.element(dialog.getByText('Conectar com o número do celular')).toBeVisible()
    expect(screen.server.config.whatsapp).toMatchObject({ conector: 'whatsapp', clientId: 'padaria-sao-joao' })
    const orders = screen.api.calls.map(({ route }) => route).filter((route) => route.startsWith('POST /bot/'))
    expect(orders).toEqual(['POST /bot/parar', 'POST /bot/iniciar'])
    await expectAccessible()
  })

  it('says how the phone is connected and closes', async () => {
    const screen = open('/dashboard?aba=geral')
    const connected = { status: 'CONECTADO', isRunning: true, inicializado: true } as const
    serveConnect(screen, makeBotStatus({ ...connected, conectadoComo: '+55 11 98765-4321' }))
    await connect.click()
    await dialog.getByRole('button', { name: 'Salvar e conectar' }).click()
    await expect.element(dialog.getByText('WhatsApp conectado como +55 11 98765-4321.')).toBeVisible()
    await dialog.getByRole('button', { name: 'Concluir' }).click()
    await expect.poll(() => dialog.query()).toBeNull()
    expect(band.query()).toBeNull()
  })

  it('shows why a connection failed and offers another try', async () => {
    const screen = open('/dashboard?aba=geral')
    serveConnect(screen, makeBotStatus({ status: 'ERRO', motivo: 'navegadorCaiu' }))
    await connect.click()
    await dialog.getByRole('button', { name: 'Salvar e conectar' }).click()
    await dialog.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(dialog.getByRole('button', { name: 'Salvar e conectar' })).toBeVisible()
  })

  it('shows a refused save in the dialog', async () => {
    const screen = open('/dashboard?aba=geral')
    screen.api.on('PUT /config', () => refusal(409, 'versaoDesatualizada', 'A configuração mudou.'))
    await connect.click()
    await dialog.getByRole('button', { name: 'Salvar e conectar' }).click()
    await expect.element(dialog.getByRole('alert').getByText('A configuração mudou.')).toBeVisible()
  })

  it('leads to the data of the official API after saving it', async () => {
    const screen = open('/dashboard?aba=mensagens')
    serveConnect(screen, makeBotStatus())
    await connect.click()
    await dialog.getByRole('radio', { name: /API oficial/ }).click()
    await dialog.getByRole('button', { name: 'Salvar e informar os dados' }).click()
    await expect.element(page.getByRole('heading', { name: 'Configuração do Sistema' })).toBeVisible()
    expect(screen.api.calls.some(({ route }) => route === 'POST /bot/iniciar')).toBe(false)
  })

  it('ends the first steps with the WhatsApp of the shop', async () => {
    open('/dashboard?aba=geral')
    await page.getByRole('button', { name: /Conecte o WhatsApp da loja/ }).click()
    await expect.element(dialog).toBeVisible()
  })
})
