import type { LinhaConfig } from '@balcao/contract/entities/linha'
import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeConfig, makeLinha, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { aviso, button, editButton, menuTextField, openMensagensTab, saveButton } from './tab.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const DELIVERY = makeLinha({ id: 'l2', nome: 'Delivery' })
const AS_CONTA: LinhaConfig = { menu: null, horario: null, iaAtiva: null }

/** Opens the tab of an account with two lines, over a server that keeps the sections of one. */
function abrir(initial: Partial<LinhaConfig> = {}) {
  const screen = openMensagensTab({ linhas: [makeLinha({ principal: true, nome: 'Loja' }), DELIVERY] })
  painel = screen
  const server = { sections: { ...AS_CONTA, ...initial } }
  const { api } = screen
  api.on('GET /linhas/l2/config', () => ok({ ...server.sections, versao: screen.server.config.versao }))
  api.on('PUT /linhas/l2/config', ({ body }) => {
    const { versao, ...sections } = Object(body)
    if (versao !== screen.server.config.versao) return refusal(409, 'conflito', 'Alguém mudou isto antes de você.')
    server.sections = sections
    screen.server.config = { ...screen.server.config, versao: versao + 1 }
    return ok({ ...sections, versao: versao + 1 })
  })
  return { screen, server }
}

const line = page.getByLabelText('Linha', { exact: true })
const part = (name: string) => page.getByRole('group', { name })
const own = (name: string) => part(name).getByRole('radio', { name: 'Próprio desta linha' })
const asConta = (name: string) => part(name).getByRole('radio', { name: 'Igual à conta' })
const MENU = 'Menu e mensagens'

describe('Mensagens with several lines', () => {
  it('shows no choice to an account with one line', async () => {
    painel = openMensagensTab()
    await expect.element(menuTextField).toBeVisible()
    await expect.element(line).not.toBeInTheDocument()
  })

  it('starts with the account and shows a line that follows it', async () => {
    abrir()
    await expect.element(line).toHaveValue('')
    await expect.element(menuTextField).toBeVisible()
    await line.selectOptions('Delivery')
    await expect.element(asConta(MENU)).toBeChecked()
    await expect.element(asConta('Horário de atendimento')).toBeChecked()
    await expect.element(menuTextField).not.toBeInTheDocument()
    await expect.element(editButton).not.toBeInTheDocument()
    await expectAccessible()
  })

  it('gives a line an own menu as a copy and saves its edits with the read version', async () => {
    const { screen, server } = abrir()
    await line.selectOptions('Delivery')
    await own(MENU).click()
    await expect.element(aviso('Delivery tem agora um menu próprio, copiado da conta.')).toBeVisible()
    expect(server.sections.menu).toEqual(screen.server.config.menu)
    await editButton.click()
    await menuTextField.fill('Entregamos até as 22h.')
    await expect.element(line).toBeDisabled()
    await expect.element(asConta(MENU)).toBeDisabled()
    await saveButton.click()
    await expect.element(aviso('Menu e mensagens salvos com sucesso!')).toBeVisible()
    expect(server.sections.menu?.menuPrincipal).toBe('Entregamos até as 22h.')
    expect(server.sections.horario).toBeNull()
    expect(screen.api.calls.map(({ route }) => route)).not.toContain('PUT /config')
    await line.selectOptions('Conta: vale para todas as linhas')
    await expect.element(menuTextField).not.toHaveValue('Entregamos até as 22h.')
  })

  it('returns to the menu of the account after a question', async () => {
    const { server } = abrir({ menu: { ...makeConfig().menu, menuPrincipal: 'Só entrega' } })
    await line.selectOptions('Delivery')
    await expect.element(menuTextField).toHaveValue('Só entrega')
    await asConta(MENU).click()
    await button('Voltar').click()
    await expect.element(own(MENU)).toBeChecked()
    await asConta(MENU).click()
    await button('Usar o menu da conta').click()
    await expect.element(aviso('Delivery usa agora o menu da conta.')).toBeVisible()
    expect(server.sections).toEqual(AS_CONTA)
    await expect.element(menuTextField).not.toBeInTheDocument()
  })

  it('edits only the own hours of a line', async () => {
    const { server } = abrir()
    await line.selectOptions('Delivery')
    await own('Horário de atendimento').click()
    await expect.element(page.getByRole('heading', { name: 'Horário de atendimento', level: 2 })).toBeVisible()
    await expect.element(page.getByText('Texto do menu principal')).not.toBeInTheDocument()
    await editButton.click()
    await page.getByLabelText('Fuso horário').selectOptions('America/Manaus')
    await saveButton.click()
    await expect.element(aviso('Menu e mensagens salvos com sucesso!')).toBeVisible()
    expect(server.sections.menu).toBeNull()
    expect(server.sections.horario?.fuso).toBe('America/Manaus')
  })

  it('keeps edits when another window saved first, and reads again on request', async () => {
    const { screen, server } = abrir({ menu: makeConfig().menu })
    await line.selectOptions('Delivery')
    await editButton.click()
    await menuTextField.fill('Meu texto')
    screen.server.config = { ...screen.server.config, versao: 9 }
    server.sections = { ...server.sections, menu: { ...makeConfig().menu, menuPrincipal: 'De outra janela' } }
    await saveButton.click()
    await expect.element(page.getByText('A configuração mudou em outra janela')).toBeVisible()
    await button('Continuar editando').click()
    await expect.element(menuTextField).toHaveValue('Meu texto')
    await saveButton.click()
    await button('Recarregar e perder minhas alterações').click()
    await expect.element(menuTextField).toHaveValue('De outra janela')
  })

  it('reports a part that changed elsewhere, and an answer that failed', async () => {
    const { screen } = abrir()
    await line.selectOptions('Delivery')
    await expect.element(asConta(MENU)).toBeChecked()
    screen.server.config = { ...screen.server.config, versao: 9 }
    await own(MENU).click()
    await expect.element(aviso(/foi lida de novo/)).toBeVisible()
    await own(MENU).click()
    await expect.element(aviso(/menu próprio/)).toBeVisible()
  })

  it('offers a retry and keeps the choice when the line does not load', async () => {
    const { screen } = abrir()
    screen.api.on('GET /linhas/l2/config', () =>
      refusal(500, 'erroInterno', 'Erro ao carregar a configuração da linha'),
    )
    await line.selectOptions('Delivery')
    await expect.element(page.getByText('Erro ao carregar a configuração da linha')).toBeVisible()
    await line.selectOptions('Conta: vale para todas as linhas')
    await expect.element(menuTextField).toBeVisible()
  })
})
