import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { CONTA_ID, makeConfig } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { cardOf, column, makePedido, openPedidos, PEDIDOS, type PedidosTestApp } from './pedidos-app.ts'
import { avisos, button, dialog } from './tab.ts'

let app: PedidosTestApp | null = null
const openButton = (numero: number) => page.getByRole('button', { name: new RegExp(`^Pedido nº ${numero} ·`) })
async function open(...how: Parameters<typeof openPedidos>): Promise<PedidosTestApp> {
  app = openPedidos(...how)
  await expect.element(openButton(innerWidth < 400 ? 12 : 11)).toBeVisible()
  return app
}

afterEach(() => app?.unmount())

/** A real print dialog would block the page. */
function stubPrint(): () => string[] {
  const printed: string[] = []
  vi.spyOn(document.body, 'append').mockImplementation((...nodes) => {
    Element.prototype.append.call(document.body, ...nodes)
    for (const node of nodes) {
      if (!(node instanceof HTMLIFrameElement) || node.contentWindow === null) continue
      node.contentWindow.print = () => void printed.push(node.contentDocument?.body.textContent ?? '')
    }
  })
  return () => printed
}

const menuOf = (numero: number) => button(`Mais ações do pedido nº ${numero}`)
const item = (name: string) => page.getByRole('menuitem', { name })

describe('Board of pedidos', () => {
  it('shows loading, then four columns with the facts of each pedido', async () => {
    app = openPedidos()
    let answer: (() => void) | undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    app.api.on('GET /pedidos', async ({ url }) => {
      await held
      return ok({
        pedidos: PEDIDOS.filter(({ status }) => status === url.searchParams.get('status')),
        proximoCursor: null,
      })
    })
    await expect.element(page.getByRole('status', { name: 'Carregando os pedidos' })).toBeVisible()
    answer?.()
    for (const text of ['2x Coxinha', '1x Torta', 'Entrega · Centro', 'R$ 57,00', 'PIX · a pagar', /^há \d+ min$/])
      await expect.element(column('Novo').getByText(text)).toBeVisible()
    await expect.element(column('Em preparo').getByText('Retirada')).toBeVisible()
    await expect.element(column('Em preparo').getByText('Obs.: Sem guardanapo')).toBeVisible()
    await expect.element(column('Saiu para entrega').getByText('PIX · conferir')).toBeVisible()
    await expect.element(column('Entregues hoje').getByText(/Rui Costa/)).toBeVisible()
    await expectAccessible()
  })

  it('moves by button immediately and keeps the focus on the card', async () => {
    const { api } = await open()
    let answer: (() => void) | undefined
    const held = new Promise<void>((resolve) => (answer = resolve))
    const pedido = makePedido({ status: 'preparo', atualizadoEm: new Date().toISOString() })
    api.on('PUT /pedidos/a/status', async () => {
      await held
      return ok({ pedido })
    })
    await button('Preparar pedido nº 12').click()
    await expect.element(column('Em preparo').getByText(/Maria Souza/)).toBeVisible()
    await expect.element(openButton(12)).toHaveFocus()
    answer?.()
    await expect.element(column('Em preparo').getByRole('button', { name: 'Saiu pedido nº 12' })).toBeVisible()
    // A pick-up skips the delivery.
    await button('Entregue pedido nº 11').click()
    await expect.element(column('Entregues hoje').getByText(/João Pereira/)).toBeVisible()
  })

  it('moves by keyboard and walks with the arrows', async () => {
    await open()
    openButton(12).element().focus()
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(openButton(11)).toHaveFocus()
    await userEvent.keyboard('{ArrowLeft}')
    await expect.element(openButton(12)).toHaveFocus()
    await userEvent.keyboard('p')
    await expect.element(column('Em preparo').getByText(/Maria Souza/)).toBeVisible()
    await userEvent.keyboard('p')
    await expect.element(column('Saiu para entrega').getByText(/Maria Souza/)).toBeVisible()
    await expect.element(openButton(12)).toHaveFocus()
  })

  it('moves by drag only to a column that the pedido may enter', async () => {
    await open()
    await userEvent.dragAndDrop(cardOf(12), column('Entregues hoje'))
    await expect.element(column('Novo').getByText(/Maria Souza/)).toBeVisible()
    await userEvent.dragAndDrop(cardOf(12), column('Em preparo'))
    await expect.element(column('Em preparo').getByText(/Maria Souza/)).toBeVisible()
  })

  it('returns a refused card to its column with the reason', async () => {
    const { api, shop } = await open()
    // Changed only now, because the panel may read the list again after it opened.
    api.on('PUT /pedidos/a/status', () => {
      shop.pedidos = shop.pedidos.map((one) => (one.id === 'a' ? { ...one, status: 'cancelado' } : one))
      return refusal(409, 'passoInvalido', 'x')
    })
    await button('Preparar pedido nº 12').click()
    await expect.element(avisos.getByText('Outra pessoa já moveu este pedido.')).toBeVisible()
    await expect.element(openButton(12)).not.toBeInTheDocument()
    app?.api.on('PUT /pedidos/b/status', () => refusal(503, 'bancoIndisponivel', 'O servidor está reiniciando.'))
    await button('Entregue pedido nº 11').click()
    await expect.element(avisos.getByText('O servidor está reiniciando.')).toBeVisible()
    await expect.element(column('Em preparo').getByText(/João Pereira/)).toBeVisible()
  })

  it('follows the events of other windows and ignores an older one', async () => {
    await open()
    await expect.element(openButton(12)).toBeVisible()
    await expect.poll(fakeSocket.connectionCount).toBe(1)
    const novo = makePedido({ id: 'n', numero: 13, cliente: 'Bia Nunes', criadoEm: new Date().toISOString() })
    fakeSocket.emit('pedidoNovo', { userId: CONTA_ID, pedido: novo })
    await expect.element(column('Novo').getByText(/Bia Nunes/)).toBeVisible()
    await expect.element(avisos.getByText('Novo pedido nº 13')).toBeVisible()
    const later = new Date(Date.now() + 60_000).toISOString()
    fakeSocket.emit('pedidoMudou', { userId: CONTA_ID, pedido: { ...novo, status: 'preparo', atualizadoEm: later } })
    await expect.element(column('Em preparo').getByText(/Bia Nunes/)).toBeVisible()
    fakeSocket.emit('pedidoMudou', { userId: CONTA_ID, pedido: { ...novo, numero: 99 } })
    fakeSocket.emit('pedidoMudou', {
      userId: CONTA_ID,
      pedido: makePedido({ status: 'cancelado', atualizadoEm: later }),
    })
    await expect.element(openButton(12)).not.toBeInTheDocument()
    await expect.element(column('Em preparo').getByText(/Bia Nunes/)).toBeVisible()
  })

  it('searches on the server and clears an empty result', async () => {
    await open()
    const search = page.getByRole('searchbox', { name: 'Buscar pedidos' })
    await search.fill('Ana')
    await expect.element(openButton(12)).not.toBeInTheDocument()
    await expect.element(column('Saiu para entrega').getByText(/Ana Lima/)).toBeVisible()
    await search.fill('Zuleica')
    await expect.element(page.getByText('Nenhum pedido encontrado')).toBeVisible()
    await expectAccessible()
    await button('Limpar').click()
    await expect.element(openButton(12)).toBeVisible()
  })

  it('reports an error with retry, a missing permission, an empty day and a shop without orders', async () => {
    const { api, server } = await open()
    await expect.element(openButton(12)).toBeVisible()
    app?.unmount()
    app = openPedidos([])
    app.api.on('GET /pedidos', () => refusal(500, 'erroInterno', 'Erro ao carregar pedidos'))
    await expect.element(page.getByRole('alert').getByText('Erro ao carregar pedidos')).toBeVisible()
    app.api.on('GET /pedidos', () => ok({ pedidos: [], proximoCursor: null }))
    await button('Tentar de novo').click()
    await expect.element(page.getByText('Nenhum pedido hoje')).toBeVisible()
    app.unmount()
    app = openPedidos([], { config: makeConfig() })
    await expect.element(page.getByText('Os pedidos pelo WhatsApp estão desligados')).toBeVisible()
    app.unmount()
    app = openPedidos([], { config: server.config })
    app.api.on('GET /pedidos', () => refusal(403, 'semPermissao', 'Você não pode ver os pedidos.'))
    await expect.element(page.getByText('Você não pode ver os pedidos.')).toBeVisible()
    expect(api.calls.length).toBeGreaterThan(0)
  })

  it('shows one column at a time on a phone', async () => {
    await page.viewport(360, 740)
    await open([...PEDIDOS, makePedido({ id: 'e', numero: 13, cliente: 'Restaurante Sabor da Terra e Companhia' })])
    expect(cardOf(13).element().getBoundingClientRect().right).toBeLessThanOrEqual(360)
    await expect.element(openButton(12)).toBeVisible()
    await expect.element(openButton(11)).not.toBeInTheDocument()
    await button('Preparo 1').click()
    await expect.element(openButton(11)).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await expect.element(button('Entregue pedido nº 11')).toBeVisible()
  })
})

describe('Details and menu of a pedido', () => {
  it('shows every item, option, sum and address in its details', async () => {
    await open()
    await openButton(12).click()
    const texts = ['2x Coxinha', 'Recheio: Frango com catupiry (+ R$ 1,50)', 'Obs.: Bem quente', 'R$ 18,00', 'R$ 57,00']
    for (const text of [...texts, 'Rua das Flores, 10 · CEP 01310-100'])
      await expect.element(dialog.getByText(text, { exact: true })).toBeVisible()
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Preparar pedido nº 12' }).click()
    await expect.element(dialog.getByText('Em preparo')).toBeVisible()
  })

  it('is paid with undo and cancelled after a question', async () => {
    await open()
    await menuOf(12).click()
    await item('Marcar como pago').click()
    await expect.element(cardOf(12).getByText('PIX · pago')).toBeVisible()
    await avisos.getByRole('button', { name: 'Desfazer' }).click()
    await expect.element(cardOf(12).getByText('PIX · a pagar')).toBeVisible()
    await menuOf(12).click()
    await item('Cancelar pedido').click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancelar pedido' }).click()
    await expect.element(avisos.getByText('Pedido nº 12 cancelado.')).toBeVisible()
    await expect.element(openButton(12)).not.toBeInTheDocument()
  })

  it('is printed, its PIX code copied and its conversa opened', async () => {
    const { api } = await open()
    api.on('GET /pedidos/a/pix', () => ok({ copiaECola: '000201PIX', valorCentavos: 5700, txid: 'T12' }))
    // The chat of an unknown conversa closes itself.
    api.on('GET /atendimento/conversas/v1', () => new Promise<never>(() => {}))
    const printed = stubPrint()
    const copy = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
    await menuOf(12).click()
    await item('Copiar código PIX').click()
    await expect.poll(() => copy.mock.calls).toEqual([['000201PIX']])
    await menuOf(12).click()
    await item('Imprimir').click()
    await expect.poll(printed).toEqual(['"CUPOM a"'])
    await menuOf(12).click()
    await item('Abrir conversa').click()
    await expect.poll(() => location.search).toBe('?aba=atendimento&c=v1')
  })
})
