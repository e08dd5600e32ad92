import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeBotStatus, makeLinha, openPanel, type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { ok } from '#test/fake-api.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const CONNECTED = makeBotStatus({ status: 'CONECTADO', isRunning: true, inicializado: true, modoTeste: true })
const MAIN = makeLinha({ principal: true, nome: 'Loja', conector: 'simulador' })
const DELIVERY = makeLinha({ id: 'l2', nome: 'Delivery', conector: 'simulador' })

function abrir(initial: Partial<PanelServer> = {}): PanelTestApp {
  painel = openPanel('/simulador', { bot: CONNECTED, linhas: [MAIN, DELIVERY], ...initial })
  painel.api.on('GET /linhas/l2/status', () => ok(CONNECTED))
  painel.api.on('GET /simulador/mensagens', ({ url }) => {
    const linha = url.searchParams.get('linhaId') ?? 'principal'
    const timestamp = '2026-03-10T12:00:00.000Z'
    return ok({ mensagens: [{ id: linha, de: 'bot', texto: `Aqui é ${linha}`, timestamp }] })
  })
  painel.api.on('POST /simulador/mensagens', () => ({ status: 202, body: { id: 'm1' } }))
  return painel
}

const line = page.getByLabelText('Linha', { exact: true })
const bodyOf = ({ api }: PanelTestApp, route: string) => api.calls.findLast((call) => call.route === route)?.body

describe('Simulator with several lines', () => {
  it('shows no choice to an account with one line', async () => {
    abrir({ linhas: [MAIN] })
    await expect.element(page.getByText('Aqui é principal')).toBeVisible()
    await expect.element(line).not.toBeInTheDocument()
  })

  it('starts with the main line and writes to the chosen one', async () => {
    const screen = abrir()
    await expect.element(page.getByText('Aqui é principal')).toBeVisible()
    await line.selectOptions('Delivery')
    await expect.element(page.getByText('Aqui é l2')).toBeVisible()
    await expect.element(page.getByText('Aqui é principal')).not.toBeInTheDocument()
    await page.getByLabelText('Mensagem', { exact: true }).fill('Oi')
    await page.getByRole('button', { name: 'Enviar' }).click()
    await expect.poll(() => bodyOf(screen, 'POST /simulador/mensagens')).toMatchObject({ linhaId: 'l2', texto: 'Oi' })
    await expectAccessible()
  })

  it('scans the QR code of the chosen line', async () => {
    const screen = abrir()
    screen.api.on('GET /linhas/l2/status', () =>
      ok(makeBotStatus({ status: 'AGUARDANDO_QR', inicializado: true, qrCode: 'q', qr: 'q' })),
    )
    screen.api.on('POST /simulador/escanear', () => {
      screen.api.on('GET /linhas/l2/status', () => ok(CONNECTED))
      return ok({ sucesso: true })
    })
    await line.selectOptions('Delivery')
    await page.getByRole('button', { name: 'Escanear QR Code' }).click()
    await expect.element(page.getByText('Conectado', { exact: true })).toBeVisible()
    expect(bodyOf(screen, 'POST /simulador/escanear')).toEqual({ linhaId: 'l2' })
  })

  it('explains that the chosen line is no simulator', async () => {
    abrir({ linhas: [MAIN, { ...DELIVERY, conector: 'whatsapp' }] })
    await line.selectOptions('Delivery')
    await expect.element(page.getByText('Delivery usa outro conector')).toBeVisible()
  })
})
