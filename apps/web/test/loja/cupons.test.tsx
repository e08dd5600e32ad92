import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { CupomListado } from '@balcao/contract/entities/cupom'
import { expectAccessible } from '#test/axe.ts'
import { makeConfig, openPanel, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { avisos, button, dialog, field } from './tab.ts'

const VOLTEI: CupomListado = {
  ...{ id: 'c1', codigo: 'VOLTEI10', tipo: 'percentual', valor: 10, minimoCentavos: 5_000 },
  ...{ validoAte: '2030-12-31T02:59:59.000Z', usos: 100, porCliente: 1, ativo: true, usados: 42 },
}
const FRETE: CupomListado = {
  ...{ id: 'c2', codigo: 'FRETE', tipo: 'entrega', valor: 0, minimoCentavos: 0 },
  ...{ usos: null, porCliente: null, ativo: false, usados: 1 },
}

let app: PanelTestApp | null = null
afterEach(() => app?.unmount())

async function openCupons(initial: readonly CupomListado[] = [FRETE, VOLTEI]) {
  const config = makeConfig()
  app = openPanel('/dashboard?aba=loja&lista=cupons', {
    config: { ...config, loja: { ...config.loja, pedidos: true } },
  })
  const { api } = app
  const sent: unknown[] = []
  const shop = { cupons: [...initial], sent }
  api.on('GET /cupons', () => ok({ cupons: shop.cupons, proximoCursor: null }))
  api.on('POST /cupons', ({ body }) => {
    const cupom: CupomListado = { ...VOLTEI, ...Object(body), id: 'novo', usados: 0 }
    if (shop.cupons.some(({ codigo }) => codigo === cupom.codigo))
      return refusal(409, 'cupomExiste', 'Já existe um cupom com este código.')
    shop.sent.push(body)
    shop.cupons.push(cupom)
    return { status: 201, body: { cupom } }
  })
  for (const { id } of initial) {
    api.on(`PUT /cupons/${id}`, ({ body }) => {
      shop.sent.push(body)
      shop.cupons = shop.cupons.map((one) => (one.id === id ? { ...one, ...Object(body) } : one))
      return ok({ cupom: shop.cupons.find((one) => one.id === id) })
    })
    api.on(`DELETE /cupons/${id}`, () => {
      shop.cupons = shop.cupons.filter((one) => one.id !== id)
      return { status: 204 }
    })
  }
  await expect.element(page.getByRole('heading', { name: 'Cupons', exact: true })).toBeVisible()
  return { ...app, shop }
}

const row = (codigo: string) => page.getByRole('listitem').filter({ hasText: codigo })
const act = async (codigo: string, name: string): Promise<void> => {
  await button(`Mais ações do cupom ${codigo}`).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

describe('Coupons', () => {
  it('lists each coupon with its discount, its conditions and the uses left', async () => {
    await openCupons()
    await expect.element(row('VOLTEI10').getByText('10% de desconto')).toBeVisible()
    await expect
      .element(
        row('VOLTEI10').getByText('Restam 58 usos · a partir de R$ 50,00 · até 30/12/2030 · uma vez por cliente'),
      )
      .toBeVisible()
    await expect.element(row('FRETE').getByText('Usado 1 vez')).toBeVisible()
    await expect.element(row('FRETE').getByText('Desligado')).toBeVisible()
    await expectAccessible()
  })

  it('explains itself while there is none, and creates the first', async () => {
    const { shop } = await openCupons([])
    await expect.element(page.getByText('Crie o primeiro cupom')).toBeVisible()
    await button('Novo cupom').click()
    await field('Código').fill('natal 25')
    await expect.element(field('Código')).toHaveValue('NATAL25')
    await page.getByLabelText('O que dá').selectOptions('Desconto em reais')
    await field('Valor do desconto').fill('12,5')
    await field('Vale até').fill('2030-12-24')
    await field('Usos por cliente').fill('')
    await expectAccessible()
    await button('Criar cupom').click()
    await expect.element(avisos.getByText('Cupom NATAL25 criado.')).toBeVisible()
    expect(shop.sent).toEqual([
      {
        ...{ codigo: 'NATAL25', tipo: 'valor', valor: 1_250, minimoCentavos: 0, usos: null, porCliente: null },
        ...{ ativo: true, validoAte: '2030-12-25T02:59:59.000Z' },
      },
    ])
    await expect.element(row('NATAL25').getByText('R$ 12,50 de desconto')).toBeVisible()
  })

  it('refuses a repeated code and wrong numbers at their fields', async () => {
    const { shop } = await openCupons()
    await button('Novo cupom').click()
    await field('Código').fill('A')
    await field('Quantos %').fill('120')
    await field('Usos ao todo').fill('0')
    await button('Criar cupom').click()
    await expect.element(field('Código')).toHaveFocus()
    await expect.element(field('Código')).toHaveAccessibleDescription(/Use de 3 a 20 letras/)
    await expect.element(field('Quantos %')).toHaveAccessibleDescription('Informe de 1 a 100.')
    await expect.element(field('Usos ao todo')).toHaveAccessibleDescription(/Informe 1 ou mais/)
    await field('Código').fill('voltei10')
    await field('Quantos %').fill('20')
    await field('Usos ao todo').fill('5')
    await button('Criar cupom').click()
    await expect.element(field('Código')).toHaveAccessibleDescription(/^Já existe um cupom com este código/)
    await expect.element(field('Código')).toHaveFocus()
    expect(shop.sent).toEqual([])
    await userEvent.keyboard('{Escape}')
    await button('Sair sem salvar').click()
    await expect.element(dialog).not.toBeInTheDocument()
  })

  it('edits, switches and deletes a coupon', async () => {
    const { shop } = await openCupons()
    await act('VOLTEI10', 'Editar')
    await expect.element(field('Vale até')).toHaveValue('2030-12-30')
    await field('Vale até').fill('')
    await field('Usos ao todo').fill('42')
    await button('Salvar').click()
    await expect.element(row('VOLTEI10').getByText(/^Esgotado/)).toBeVisible()
    expect(shop.sent.at(-1)).toMatchObject({ validoAte: null, usos: 42, valor: 10 })
    await act('FRETE', 'Ligar')
    await expect.element(avisos.getByText('O cupom FRETE vale de novo.')).toBeVisible()
    expect(shop.sent.at(-1)).toEqual({ ativo: true })
    await act('VOLTEI10', 'Excluir')
    await button('Excluir cupom').click()
    await expect.element(avisos.getByText('Cupom VOLTEI10 excluído.')).toBeVisible()
    await expect.element(row('VOLTEI10')).not.toBeInTheDocument()
  })

  it('shows loading, the failure with retry and a narrow phone', async () => {
    await page.viewport(320, 640)
    const { api } = await openCupons()
    await expect.element(row('VOLTEI10')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(320)
    app?.unmount()
    app = openPanel('/dashboard?aba=loja&lista=cupons')
    app.api.on('GET /cupons', () => refusal(500, 'erroInterno', 'Erro ao carregar cupons'))
    await expect.element(page.getByRole('alert').getByText('Erro ao carregar cupons')).toBeVisible()
    app.api.on('GET /cupons', () => ok({ cupons: [], proximoCursor: null }))
    await button('Tentar de novo').click()
    await expect.element(page.getByText('Crie o primeiro cupom')).toBeVisible()
    expect(api.calls.length).toBeGreaterThan(0)
  })
})
