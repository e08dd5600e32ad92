import './fake-socket.ts'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeUsuario } from '#test/render.tsx'
import { makeLinha, openPanel, type PanelServer, type PanelTestApp } from './panel.tsx'

const NOTHING = { clientes: [], conversas: [], mensagens: [], produtos: [] }
const FOUND = {
  clientes: [
    { contatoId: 'k1', nome: 'Bianca Araújo', telefone: '5511981236302', conversaId: 'c1', status: 'aguardando' },
  ],
  conversas: [{ conversaId: 'c2', protocolo: '20261123-0047', cliente: 'Rafael Nogueira', status: 'finalizada' }],
  mensagens: [
    {
      ...{ conversaId: 'c3', mensagemId: 'm7', cliente: 'Carla', trecho: 'quero um bolo de chocolate' },
      ...{ marcas: [[9, 13]], timestamp: '2026-11-20T12:00:00.000Z', origem: 'cliente' },
    },
  ],
  produtos: [{ id: 'p1', nome: 'Bolo de cenoura', preco: 32.5 }],
}

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const field = page.getByRole('combobox', { name: 'Buscar ou executar' })
const option = (name: RegExp) => page.getByRole('option', { name })

async function openPalette(initial: Partial<PanelServer> = {}): Promise<PanelTestApp> {
  painel = openPanel('/dashboard?aba=geral', initial)
  painel.api.on('GET /busca', ({ url }) => ok(url.searchParams.get('q') === 'bolo' ? FOUND : NOTHING))
  await expect.element(page.getByRole('heading', { level: 1, name: 'Geral' })).toBeVisible()
  await userEvent.keyboard('{Control>}k{/Control}')
  await expect.element(field).toHaveFocus()
  return painel
}

describe('Buscar ou executar', () => {
  it('shows customers, conversas, messages with marks and products while typing', async () => {
    await openPalette()
    await userEvent.keyboard('bolo')
    await expect.element(option(/Bianca Araújo/)).toBeVisible()
    await expect.element(option(/Rafael Nogueira · 20261123-0047/)).toBeVisible()
    await expect.element(option(/Bolo de cenoura/)).toBeVisible()
    expect(option(/Carla/).element().querySelector('mark')?.textContent).toBe('bolo')
    await expectAccessible()
  })

  it('opens the found message by arrow and Enter', async () => {
    // The inbox removes the message from the address as soon as it has read it.
    const pushed = vi.spyOn(history, 'pushState')
    await openPalette()
    await userEvent.keyboard('bolo')
    await expect.element(option(/Carla/)).toBeVisible()
    await userEvent.keyboard('{End}')
    await expect.element(option(/Bolo de cenoura/)).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{ArrowUp}')
    await expect.element(option(/Carla/)).toHaveAttribute('aria-selected', 'true')
    await userEvent.keyboard('{Enter}')
    const opened = (): URLSearchParams => new URL(String(pushed.mock.lastCall?.[2]), location.origin).searchParams
    await expect.poll(() => opened().get('m')).toBe('m7')
    expect(opened().get('c')).toBe('c3')
  })

  it('opens the section of the hours by "horario"', async () => {
    await openPalette()
    await userEvent.keyboard('horario{Enter}')
    await expect.poll(() => document.querySelector('#horario')?.hasAttribute('open')).toBe(true)
    await expect.poll(() => document.activeElement?.closest('#horario')).not.toBeNull()
  })

  it('leads the owner to the lines, or to the act that adds one', async () => {
    await openPalette()
    await userEvent.keyboard('adicionar uma linha{Enter}')
    await expect.element(page.getByRole('button', { name: 'Adicionar uma linha' })).toHaveFocus()
    painel?.unmount()
    await openPalette({ linhas: [makeLinha({ principal: true }), makeLinha({ id: 'l2', nome: 'Delivery' })] })
    await userEvent.keyboard('linhas{Enter}')
    await expect.element(page.getByRole('heading', { name: 'Linhas' })).toHaveFocus()
    painel?.unmount()
    await openPalette({ usuario: makeUsuario({ tipo: 'operador' }) })
    await userEvent.keyboard('linhas')
    await expect.element(page.getByText(/Nada encontrado para “linhas”/)).toBeVisible()
  })

  it('leads the owner to the settings and coupons of the shop', async () => {
    await openPalette()
    await userEvent.keyboard('ajustes da loja{Enter}')
    await expect.element(page.getByRole('heading', { name: 'Ajustes', exact: true })).toHaveFocus()
  })

  it.each([
    ['convidar', /Abrir Equipe/],
    ['relatorio', /Abrir Relatório/],
    ['avaliacoes', /Abrir Avaliações/],
    ['respostas', /Abrir Respostas rápidas/],
    ['retencao', /Privacidade e prazo/],
    ['nova conversa', /Nova conversa/],
    ['senha', /Minha conta/],
    ['desconto', /Cupons da loja/],
  ])('offers an act for "%s"', async (words, name) => {
    await openPalette()
    await userEvent.keyboard(words)
    await expect.element(option(name)).toBeVisible()
  })

  it('keeps screens and acts when the search fails', async () => {
    const { api } = await openPalette()
    api.on('GET /busca', () => refusal(503, 'servidorOcupado', 'O servidor está ocupado.'))
    await userEvent.keyboard('loja')
    await expect.element(page.getByText('A busca não respondeu.', { exact: false })).toBeVisible()
    await expect.element(option(/Ir para Loja/)).toBeVisible()
  })

  it('does not search for a person without Atendimento', async () => {
    const usuario = makeUsuario()
    const componentesPermitidos = { ...usuario.componentesPermitidos, atendimentoHumano: false }
    const { api } = await openPalette({ usuario: { ...usuario, componentesPermitidos } })
    await userEvent.keyboard('bolo')
    await expect.element(page.getByText(/Nada encontrado para “bolo”/)).toBeVisible()
    expect(api.calls.some(({ route }) => route === 'GET /busca')).toBe(false)
  })
})
