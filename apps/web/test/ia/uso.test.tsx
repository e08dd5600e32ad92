import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { todayDate } from '#features/ia/ia-usage.tsx'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { type PanelTestApp, makeConfig } from '#test/dashboard/panel.tsx'
import { askButton, NO_COST, openIaTab, openUsage, questionField, testConversation, withKey } from './tab.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const HOJE = todayDate(makeConfig().atendimento.horario.fuso)
const count = { perguntas: 12, tokensEntrada: 15_400, tokensSaida: 830 }
const USO = { hoje: count, dias: [{ dia: HOJE, ...count }], mes: NO_COST }
const card = page.getByRole('main')

describe('IA: usage', () => {
  it('explains an empty state and counts a test', async () => {
    painel = openIaTab(withKey())
    await openUsage()
    await expect.element(page.getByText('Nenhuma pergunta ainda')).toBeVisible()
    await page.getByRole('link', { name: 'Como responde' }).click()
    painel.api.on('POST /gemini/testar', () => ok({ resposta: 'Abrimos.', duracaoMs: 5 }))
    painel.api.on('GET /gemini/uso', () => ok(USO))
    await questionField.fill('Abrem?')
    await askButton.click()
    await expect.element(testConversation.getByText('Abrimos.')).toBeVisible()
    await openUsage()
    await expect.element(card.getByText('15.400').first()).toBeVisible()
  })

  it('shows today and the last 30 days, also as a table', async () => {
    painel = openIaTab()
    painel.api.on('GET /gemini/uso', () => ok(USO))
    await openUsage()
    for (const value of ['12', '15.400', '830']) {
      await expect.element(page.getByRole('definition').getByText(value, { exact: true })).toBeVisible()
    }
    await expect.element(page.getByText('12 perguntas', { exact: true })).toBeVisible()
    await page.getByText('Ver por dia').click()
    const day = `${HOJE.slice(8)}/${HOJE.slice(5, 7)}`
    await expect.element(page.getByRole('row', { name: `${day} 12 15.400 830` })).toBeVisible()
    await expectAccessible()
  })

  it('retries after a failure', async () => {
    painel = openIaTab()
    painel.api.on('GET /gemini/uso', () => refusal(403, 'semPermissao', 'Sem permissão'))
    await openUsage()
    await expect.element(page.getByText('Sem permissão')).toBeVisible()
    painel.api.on('GET /gemini/uso', () => ok(USO))
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(page.getByText('12 perguntas', { exact: true })).toBeVisible()
  })
})
