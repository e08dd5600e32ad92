import type { LinhaConfig } from '@balcao/contract/entities/linha'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeLinha, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { aviso, keyField, openIaTab, promptField, withKey } from './tab.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

function abrir(iaAtiva: boolean | null = null) {
  const linhas = [makeLinha({ principal: true, nome: 'Loja' }), makeLinha({ id: 'l2', nome: 'Delivery' })]
  const screen = openIaTab({ ...withKey({ ativa: true }), linhas })
  painel = screen
  const sections: LinhaConfig = { menu: null, horario: null, iaAtiva }
  const server = { sections }
  screen.api.on('GET /linhas/l2/config', () => ok({ ...server.sections, versao: 3 }))
  screen.api.on('PUT /linhas/l2/config', ({ body }) => {
    const { versao, ...sent } = Object(body)
    server.sections = sent
    return ok({ ...sent, versao })
  })
  return { screen, server }
}

const line = page.getByLabelText('Linha', { exact: true })
const choice = (name: string) => page.getByRole('radio', { name })

describe('IA with several lines', () => {
  it('shows no choice to an account with one line', async () => {
    painel = openIaTab(withKey())
    await expect.element(keyField).toBeVisible()
    await expect.element(line).not.toBeInTheDocument()
  })

  it('holds the choice while the form of the account has edits', async () => {
    abrir()
    await promptField.fill('Outro treinamento')
    await expect.element(line).toBeDisabled()
    await page.getByRole('button', { name: 'Descartar' }).click()
    await expect.element(line).toBeEnabled()
  })

  it('turns the AI off in one line, and back to the account after a question', async () => {
    const { server } = abrir()
    await line.selectOptions('Delivery')
    await expect.element(choice('Igual à conta (ligada)')).toBeChecked()
    await expect.element(keyField).not.toBeInTheDocument()
    await choice('Desligada nesta linha').click()
    await expect.element(aviso('IA desligada em Delivery.')).toBeVisible()
    expect(server.sections).toEqual({ menu: null, horario: null, iaAtiva: false })
    await expectAccessible()
    await choice('Igual à conta (ligada)').click()
    await page.getByRole('button', { name: 'Usar como a conta' }).click()
    await expect.element(aviso('Delivery usa agora a IA como a conta.')).toBeVisible()
    expect(server.sections.iaAtiva).toBeNull()
    await page.getByRole('button', { name: 'Ver a IA da conta' }).click()
    await expect.element(keyField).toBeVisible()
  })

  it('shows why the AI cannot be turned on', async () => {
    const { screen } = abrir(false)
    screen.api.on('PUT /linhas/l2/config', () =>
      refusal(400, 'dadosInvalidos', 'API Key é obrigatória quando a IA está ativada'),
    )
    await line.selectOptions('Delivery')
    await choice('Ligada nesta linha').click()
    await expect.element(page.getByText('API Key é obrigatória quando a IA está ativada')).toBeVisible()
    await expect.element(choice('Desligada nesta linha')).toBeChecked()
  })

  it('says that the person may not see the settings of a line', async () => {
    const { screen } = abrir()
    screen.api.on('GET /linhas/l2/config', () => refusal(403, 'semPermissao', 'Você não tem permissão para isto.'))
    await line.selectOptions('Delivery')
    await expect.element(page.getByText('Você não tem permissão para isto.')).toBeVisible()
    await expect.element(line).toBeEnabled()
  })
})
