import { ALL_PERMISSIONS, makeUsuario } from '#test/render.tsx'
import { fakeSocket } from '../dashboard/fake-socket.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { openPanel, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { button, heading, makeOperadorUsuario } from './equipe-panel.ts'

let painel: PanelTestApp | null = null
function abrir(address: string, usuario = makeOperadorUsuario()): PanelTestApp {
  painel = openPanel(address, { usuario })
  painel.api.on('GET /atendimento/conversas', () => ok({ conversas: [] }))
  painel.api.on('GET /atendimento/setores', () => ok({ setores: [] }))
  return painel
}

afterEach(async () => {
  painel?.unmount()
  await page.viewport(1366, 800)
})

const menu = page.getByRole('complementary', { name: 'Menu' })
const sections = menu.getByRole('navigation', { name: 'Seções do painel' })

describe('Dashboard for an operador', () => {
  it('opens on the conversas and lists only their tab and the contatos', async () => {
    localStorage.setItem('menu-do-painel', 'aberto')
    const { api } = abrir('/dashboard')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Atendimento' })).toBeVisible()
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
    expect(
      sections
        .getByRole('link')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Atendimento', 'Contatos', 'Ajuda'])
    await expect.element(menu.getByText('OPERADOR')).toBeVisible()
    await expect.poll(() => menu.getByText('Ações rápidas').query()).toBeNull()
    await expect.poll(() => page.getByText('Acesso Restrito').query()).toBeNull()
    expect(api.calls.some(({ route }) => route === 'GET /config/versoes')).toBe(false)
    await expectAccessible()
  })

  it.each(['avaliacoes', 'relatorio'])('says on %s which setores it counts', async (painelId) => {
    const PARTIAL = /Aqui entram só os seus setores e o Geral/
    abrir(`/dashboard?aba=atendimento&painel=${painelId}`)
    await expect.element(page.getByText(PARTIAL)).toBeVisible()
    painel?.unmount()
    abrir(`/dashboard?aba=atendimento&painel=${painelId}`, makeUsuario())
    await expect.element(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    expect(page.getByText(PARTIAL).query()).toBeNull()
  })

  it('shows a tab bar with both tabs on a phone', async () => {
    await page.viewport(360, 800)
    abrir('/dashboard')
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
    const tabs = page.getByRole('navigation', { name: 'Abas' }).getByRole('link')
    expect(tabs.elements().map((tab) => tab.getAttribute('title'))).toEqual(['Atendimento', 'Contatos'])
  })

  it.each(['geral', 'mensagens', 'ia', 'logs', 'loja'])('keeps the tab %s locked, with a link back', async (aba) => {
    abrir(`/dashboard?aba=${aba}`)
    await expect.element(heading('Acesso Restrito')).toBeVisible()
    await page.getByRole('link', { name: 'Ir para Atendimento' }).click()
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
  })

  it('keeps the administrator’s pages and the simulator locked', async () => {
    abrir('/admin')
    await expect.element(page.getByRole('heading', { level: 1, name: 'Atendimento' })).toBeVisible()
    painel?.unmount()
    abrir('/simulador')
    await page.getByRole('link', { name: 'Voltar ao painel' }).last().click()
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
  })

  it('offers only permitted commands in the palette', async () => {
    abrir('/dashboard')
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
    await button(/^Buscar ou executar/)
      .first()
      .click()
    const opcoes = page.getByRole('listbox').getByRole('option')
    await expect.element(opcoes.filter({ hasText: 'Ir para Atendimento' })).toBeVisible()
    const names = opcoes.elements().map((um) => um.textContent)
    expect(names.join(' ')).not.toMatch(/Geral|Setup|Limpar|Loja|Administração|Equipe/)
  })

  it('opens the login when the owner ends the session', async () => {
    const { api } = abrir('/dashboard')
    await expect.element(page.getByRole('banner').getByText('Online', { exact: true })).toBeVisible()
    api.on('GET /auth/eu', () => refusal(401, 'semSessao', 'Sua sessão terminou. Entre novamente.'))
    fakeSocket.endSession()
    await expect.element(page.getByText('Sua sessão terminou', { exact: true })).toBeVisible()
    expect(location.pathname).toBe('/login')
  })

  it('locks the page Equipe, with a link back, and requests no data', async () => {
    const { api } = abrir('/dashboard?aba=atendimento&painel=equipe')
    await expect.element(page.getByText('Acesso Restrito')).toBeVisible()
    await expectAccessible()
    await button('Voltar para as conversas').last().click()
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
    expect(location.search).toBe('?aba=atendimento')
    expect(api.calls.some(({ route }) => route.includes('/conta/operadores'))).toBe(false)
  })
})

describe('Dashboard for an owner', () => {
  it('shows a locked tab with a link to an open one', async () => {
    const usuario = makeUsuario({ componentesPermitidos: { ...ALL_PERMISSIONS, lojaWhatsapp: false } })
    abrir('/dashboard?aba=loja', usuario)
    await expect.element(heading('Acesso Restrito')).toBeVisible()
    await expect.element(page.getByRole('link', { name: 'Ir para Geral' })).toBeVisible()
  })

  it('opens the pages of the equipe from the palette', async () => {
    const { api } = abrir('/dashboard?aba=atendimento', makeUsuario())
    api.on('GET /conta/operadores', () => ok({ operadores: [] }))
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
    await button(/^Buscar ou executar/)
      .first()
      .click()
    await page.getByRole('option', { name: 'Abrir Equipe' }).click()
    await expect.element(page.getByText('Só você atende')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByText(/^Ninguém esperando/)).toBeVisible()
  })

  it('reports an unknown URL', async () => {
    abrir('/dashboard?aba=atendimento&painel=nada', makeUsuario())
    await expect.element(page.getByText('Esta página não existe')).toBeVisible()
    await expectAccessible()
    await escolherOutra()
  })

  async function escolherOutra(): Promise<void> {
    painel?.api.on('GET /conta/operadores', () => ok({ operadores: [] }))
    await page.getByRole('navigation', { name: 'Equipe e resultados' }).getByRole('link', { name: 'Equipe' }).click()
    await expect.element(page.getByText('Só você atende')).toBeVisible()
  }
})
