import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { CONTA_ID, makeConfig } from '#test/dashboard/panel.tsx'
import { ok } from '#test/fake-api.ts'
import { cardOf, column, makePedido, openPedidos, PEDIDOS, type PedidosTestApp } from '#test/loja/pedidos-app.ts'
import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { button, heading, makeOperadorUsuario } from './equipe-panel.ts'

let app: PedidosTestApp | null = null
function abrir(address: string, initial: Parameters<typeof openPedidos>[1] = {}): PedidosTestApp {
  app = openPedidos(PEDIDOS, { usuario: makeOperadorUsuario(), ...initial }, address)
  app.api.on('GET /atendimento/conversas', () => ok({ conversas: [] }))
  app.api.on('GET /atendimento/setores', () => ok({ setores: [] }))
  return app
}

afterEach(async () => {
  app?.unmount()
  await page.viewport(1366, 800)
})

const sections = page.getByRole('navigation', { name: 'Seções do painel' })
const avisos = page.getByRole('region', { name: 'Avisos' })

describe('Tab Pedidos', () => {
  it('shows the board to an operador of a shop with orders, and moves a pedido', async () => {
    localStorage.setItem('menu-do-painel', 'aberto')
    abrir('/dashboard')
    await sections.getByRole('link', { name: 'Pedidos' }).click()
    await expect.element(heading('Pedidos').first()).toBeVisible()
    await expect.element(column('Novo').getByText(/Maria Souza/)).toBeVisible()
    expect(
      sections
        .getByRole('link')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Atendimento', 'Contatos', 'Pedidos', 'Ajuda'])
    await button('Preparar pedido nº 12').click()
    await expect.element(column('Em preparo').getByText(/Maria Souza/)).toBeVisible()
    await expectAccessible()
  })

  it('stands in the bar of a phone', async () => {
    await page.viewport(360, 740)
    abrir('/dashboard?aba=pedidos')
    await expect.element(cardOf(12)).toBeVisible()
    const tabs = page.getByRole('navigation', { name: 'Abas' }).getByRole('link')
    expect(tabs.elements().map((tab) => tab.getAttribute('title'))).toEqual(['Atendimento', 'Contatos', 'Pedidos'])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  })

  it('opens by keyboard', async () => {
    abrir('/dashboard')
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
    await userEvent.keyboard('g8')
    await expect.element(cardOf(12)).toBeVisible()
  })

  it('stays locked while the shop takes no orders', async () => {
    abrir('/dashboard?aba=pedidos', { config: makeConfig() })
    await expect.element(heading('Acesso Restrito')).toBeVisible()
    expect(app?.api.calls.some(({ route }) => route === 'GET /pedidos')).toBe(false)
  })

  it('leads an owner to the shop', async () => {
    localStorage.setItem('menu-do-painel', 'aberto')
    abrir('/dashboard?aba=pedidos', { usuario: makeUsuario() })
    await expect.element(page.getByRole('heading', { level: 1, name: 'Loja' })).toBeVisible()
    expect(sections.getByRole('link', { name: 'Pedidos' }).elements()).toEqual([])
  })
})

describe('Notice of a new pedido', () => {
  /** The part that shows notices loads after the first paint. */
  async function untilNotice(emit: () => void): Promise<void> {
    await expect.poll(fakeSocket.connectionCount).toBe(1)
    await expect
      .poll(() => {
        emit()
        return avisos.getByText('Novo pedido nº 13').elements().length
      })
      .toBeGreaterThan(0)
  }
  const novo = makePedido({ id: 'n', numero: 13, cliente: 'Bia Nunes' })

  it('opens the board from another tab, and stays away after an own pedido', async () => {
    abrir('/dashboard')
    const own = makePedido({ id: 'm', numero: 14, cliente: 'Rita Alves' })
    await untilNotice(() => {
      fakeSocket.emit('pedidoNovo', { userId: CONTA_ID, pedido: own, autorId: 'o1' })
      fakeSocket.emit('pedidoNovo', { userId: CONTA_ID, pedido: novo, autorId: 'u1' })
    })
    expect(avisos.getByText('Novo pedido nº 14').query()).toBeNull()
    await avisos.getByRole('button', { name: 'Abrir' }).first().click()
    await expect.element(column('Novo').getByText(/Maria Souza/)).toBeVisible()
    expect(location.search).toBe('?aba=pedidos')
  })

  it('reaches people with the shop and without conversas', async () => {
    const usuario = makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, atendimentoHumano: false } })
    abrir('/dashboard?aba=loja&lista=pedidos', { usuario })
    await expect.element(cardOf(12)).toBeVisible()
    await untilNotice(() => fakeSocket.emit('pedidoNovo', { userId: CONTA_ID, pedido: novo }))
    expect(app?.api.calls.some(({ route }) => route.startsWith('GET /atendimento'))).toBe(false)
  })
})
