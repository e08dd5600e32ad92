import type { Tarifa } from '@balcao/contract/entities/custos'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import toast from 'react-hot-toast/headless'
import { expectAccessible } from '#test/axe.ts'
import { ok } from '#test/fake-api.ts'
import { type AdminTestApp, openAdmin } from './server.ts'

let open: AdminTestApp | null = null
afterEach(() => {
  open?.close()
  toast.remove()
})

const SERVICE: Tarifa = {
  ...{ vigenteDesde: '2026-10-01', categoria: 'service', pais: 'BR', milionesimos: 34_500, moeda: 'BRL' },
}
const save = page.getByRole('button', { name: 'Salvar tarifas' })
const price = page.getByLabelText('Preço por mensagem')

describe('Admin: Tarifas da Meta', () => {
  it('edits, adds and removes dated prices', async () => {
    const sent: unknown[] = []
    open = openAdmin('/admin?aba=configuracoes')
    open.api.on('GET /admin/tarifas', () => ok({ tarifas: [SERVICE] }))
    open.api.on('PUT /admin/tarifas', ({ body }) => {
      sent.push(body)
      return ok(body)
    })
    await page.getByRole('heading', { name: 'Tarifas da Meta' }).click()
    await expect.element(price).toHaveValue('0,0345')
    await expect.element(save).toBeDisabled()
    await expectAccessible()
    await price.fill('')
    await expect.element(page.getByText('Informe o preço de cada tarifa, até 10000, como 0,0345.')).toBeVisible()
    await expect.element(save).toBeDisabled()
    await price.fill('0,04')
    await page.getByRole('button', { name: 'Adicionar tarifa' }).click()
    await expect.element(page.getByLabelText('Vale desde').nth(1)).toHaveFocus()
    await price.nth(1).fill('0,35')
    await page.getByLabelText('Categoria').nth(1).selectOptions('Marketing')
    await page.getByLabelText('Vale desde').nth(1).fill('2026-11-01')
    await page.getByLabelText('País').nth(1).fill('*')
    await save.click()
    await expect.element(page.getByText('Tarifas salvas com sucesso!').first()).toBeVisible()
    const marketing = {
      ...SERVICE,
      vigenteDesde: '2026-11-01',
      categoria: 'marketing',
      pais: '*',
      milionesimos: 350_000,
    }
    expect(sent).toEqual([{ tarifas: [{ ...SERVICE, milionesimos: 40_000 }, marketing] }])
    await page.getByRole('button', { name: 'Remover a tarifa 1' }).click()
    await expect.element(page.getByLabelText('Vale desde')).toHaveFocus()
    await save.click()
    await expect.poll(() => sent.length).toBe(2)
    expect(sent[1]).toEqual({ tarifas: [marketing] })
    await page.getByRole('button', { name: 'Remover a tarifa 1' }).click()
    await expect.element(page.getByRole('button', { name: 'Adicionar tarifa' })).toHaveFocus()
  })
})
