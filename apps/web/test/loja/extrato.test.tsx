import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Extrato } from '@balcao/contract/entities/pedido'
import { expectAccessible } from '#test/axe.ts'
import '#test/dashboard/fake-socket.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { openPedidos, type PedidosTestApp } from './pedidos-app.ts'
import { button, dialog, field } from './tab.ts'

let app: PedidosTestApp | null = null
afterEach(async () => {
  app?.unmount()
  await page.viewport(1366, 800)
})

const READ: Extrato = {
  confirmados: [{ pedidoId: 'a', valorCentavos: 5_700, data: '2026-11-20' }],
  duvidosos: [{ valorCentavos: 5_700, data: '2026-11-21', pedidoIds: ['b', 'c'] }],
  ...{ semPedido: 4, repetidos: 2 },
}

async function open(answer: (simular: boolean) => Extrato): Promise<string[]> {
  const sent: string[] = []
  app = openPedidos()
  app.api.on('POST /pedidos/extrato', ({ url }) => {
    const simular = url.searchParams.get('simular') ?? ''
    sent.push(simular)
    return ok(answer(simular === 'true'))
  })
  await button('Conferir extrato').click()
  return sent
}

const choose = () =>
  userEvent.upload(field('Escolher arquivo'), new File(['OFX'], 'extrato.ofx', { type: 'text/plain' }))

describe('Conferir extrato', () => {
  it('shows what it found, and confirms only after that', async () => {
    const sent = await open(() => READ)
    await choose()
    await expect.element(dialog.getByText('nº 12 · Maria Souza')).toBeVisible()
    await expect.element(dialog.getByText('R$ 57,00 em 20/11/2026')).toBeVisible()
    await expect.element(dialog.getByText('nº 11 · João Pereira ou nº 10 · Ana Lima')).toBeVisible()
    await expect.element(dialog).toMatchTextContent(/Sem pedido4Já conferidos2/)
    expect(sent).toEqual(['true'])
    await expectAccessible()
    await button('Confirmar 1 pagamento').click()
    await expect.element(dialog.getByText('1 pagamento confirmado.')).toBeVisible()
    expect(sent).toEqual(['true', 'false'])
    await dialog.getByRole('button', { name: 'Fechar' }).last().click()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  it('says so when nothing changes, at 320 px', async () => {
    await page.viewport(320, 700)
    await open(() => ({ confirmados: [], duvidosos: [], semPedido: 0, repetidos: 7 }))
    await choose()
    await expect.element(page.getByText('Nenhum pagamento deste extrato confirma um pedido.')).toBeVisible()
    await expectAccessible()
  })

  it('gives the reason of a refused file and takes another one', async () => {
    await open(() => READ)
    app?.api.on('POST /pedidos/extrato', () =>
      refusal(400, 'dadosInvalidos', 'Este arquivo não é um extrato em OFX ou CSV.'),
    )
    await choose()
    await expect.element(page.getByText('Este arquivo não é um extrato em OFX ou CSV.')).toBeVisible()
    app?.api.on('POST /pedidos/extrato', () => ok(READ))
    await choose()
    await expect.element(button('Confirmar 1 pagamento')).toBeVisible()
  })
})
