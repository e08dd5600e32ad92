import type { Ensaio, Prova } from '@balcao/contract/entities/prova'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import type { PanelTestApp } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { openIaTab, promptField, withKey } from './tab.ts'

const ENSAIO: Ensaio = {
  ...{ conversas: 120, iguais: 118 },
  diferentes: [
    {
      ...{
        conversaId: 'v1',
        cliente: 'M*** S.',
        antes: ['Olá!', 'Não entendi.'],
        depois: ['Olá!', '*Abrimos* às 8h.'],
      },
      setores: { antes: ['geral'], depois: [] },
    },
  ],
  ...{ transferencias: { antes: 12, depois: 11 }, mensagens: { antes: 900, depois: 905 } },
}

const PROVA: Prova = {
  ...{ id: 'p1', pergunta: 'Abrem às 8h?', contem: ['8h'], naoContem: [], origem: 'propria', obrigatoria: false },
}

let app: PanelTestApp | null = null
afterEach(() => app?.unmount())

const button = (name: string) => page.getByRole('button', { name, exact: true })
const part = (name: string) =>
  page.getByRole('navigation', { name: 'Partes da IA' }).getByRole('link', { name, exact: true })

function openTab() {
  app = openIaTab(withKey())
  app.api.on('GET /ia/provas', () => ok({ provas: [PROVA], proximoCursor: null }))
  return app
}

async function editAndOpen(): Promise<void> {
  await promptField.fill('Abrimos às 8h.')
  await part('Provas').click()
}

describe('IA: replay', () => {
  it('waits for an edit', async () => {
    openTab()
    await part('Provas').click()
    await expect.element(button('Ensaiar as mudanças')).toBeDisabled()
    await page.getByRole('main').getByRole('link', { name: 'Como responde' }).last().click()
    await expect.element(promptField).toBeVisible()
  })

  it('compares the conversas of a period before and after the edits', async () => {
    const { api } = openTab()
    const sent: unknown[] = []
    api.on('POST /config/ensaio', ({ body }) => {
      sent.push(body)
      return ok(ENSAIO)
    })
    await editAndOpen()
    await page.getByLabelText('Período').selectOptions('Últimos 30 dias')
    await button('Ensaiar as mudanças').click()
    await expect.element(page.getByRole('row', { name: 'Passadas para uma pessoa 12 11' })).toBeVisible()
    await expect.element(page.getByRole('row', { name: 'Mensagens do bot 900 905' })).toBeVisible()
    expect(sent).toMatchObject([{ dias: 30, config: { versao: 3, ia: { promptTreinamento: 'Abrimos às 8h.' } } }])
    await expect.element(page.getByText('As 1 mais recentes de 2.')).toBeVisible()
    await page.getByText('M*** S.').click()
    await expect.element(page.getByText('Passou para Geral.')).toBeVisible()
    await expect.element(page.getByRole('listitem').filter({ hasText: 'Mudou: Abrimos às 8h.' })).toBeVisible()
    await expectAccessible()
    await page.getByRole('switch', { name: /Exigir as obrigatórias/ }).click()
    await expect.element(page.getByText('Você mudou algo depois deste ensaio. Ensaie de novo.')).toBeVisible()
  })

  it('says that another replay runs', async () => {
    const { api } = openTab()
    api.on('POST /config/ensaio', () =>
      refusal(409, 'ensaioEmAndamento', 'Um ensaio desta conta já está em andamento.'),
    )
    await editAndOpen()
    await button('Ensaiar as mudanças').click()
    await expect.element(page.getByRole('alert').getByText('Um ensaio desta conta já está em andamento.')).toBeVisible()
    await expect.element(button('Ensaiar as mudanças')).toBeEnabled()
  })
})
