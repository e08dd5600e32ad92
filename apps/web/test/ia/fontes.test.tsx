import type { Fonte } from '@balcao/contract/entities/fonte'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { CONTA_ID, openPanel, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { fakeSocket } from '#test/dashboard/fake-socket.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { aviso } from './tab.ts'

const TROCAS: Fonte = {
  ...{ id: 'f1', tipo: 'texto', titulo: 'Trocas e devoluções', estado: 'pronta', trechos: 3, bytes: 2_048 },
  lidaEm: '2026-11-20T12:00:00.000Z',
}
const TABELA: Fonte = {
  ...{ id: 'f2', tipo: 'arquivo', titulo: 'tabela.pdf', estado: 'falhou', trechos: 0, bytes: 4_096, lidaEm: null },
  motivo: 'O PDF só tem imagens. Envie um PDF com texto.',
}
const SITE: Fonte = {
  ...{ id: 'f3', tipo: 'site', titulo: 'Padaria Aurora', url: 'https://aurora.com.br/', estado: 'lendo' },
  ...{ trechos: 0, bytes: 0, lidaEm: null },
}
const VENCIDA: Fonte = { ...TROCAS, id: 'f4', titulo: 'Promoção', expiraEm: '2020-01-01T02:59:59.000Z' }

let app: PanelTestApp | null = null
afterEach(() => app?.unmount())

async function openFontes(initial: readonly Fonte[] = [SITE, TABELA, TROCAS, VENCIDA]) {
  app = openPanel('/dashboard?aba=ia&lista=fontes')
  const { api } = app
  const server = { fontes: [...initial], sent: new Array<unknown>() }
  api.on('GET /ia/fontes', () => ok({ fontes: server.fontes, proximoCursor: null }))
  api.on('POST /ia/fontes', ({ body }) => {
    server.sent.push(body instanceof FormData ? Object.fromEntries(body) : body)
    const titulo = body instanceof FormData ? 'cardapio.txt' : (Object(body).titulo ?? 'site')
    const fonte: Fonte = { ...SITE, id: 'nova', titulo }
    server.fontes.unshift(fonte)
    return { status: 202, body: { fonte } }
  })
  await expect.element(page.getByRole('heading', { name: 'O que a IA sabe' })).toBeVisible()
  return { ...app, sources: server }
}

const item = (title: string) =>
  page.getByRole('list', { name: 'Fontes da IA' }).getByRole('listitem').filter({ hasText: title })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = page.getByRole('dialog')

async function choose(title: string, act: string): Promise<void> {
  await button(`Mais ações de ${title}`).click()
  await page.getByRole('menuitem', { name: act }).click()
}

describe('IA: sources', () => {
  it('shows the state of each source and why one was not read', async () => {
    await openFontes()
    await expect.element(item('Padaria Aurora').getByText('Lendo…')).toBeVisible()
    await expect.element(item('tabela.pdf').getByText('Não foi lida')).toBeVisible()
    await expect.element(item('tabela.pdf').getByText('O PDF só tem imagens.', { exact: false })).toBeVisible()
    await expect.element(item('Trocas').getByText('Pronta')).toBeVisible()
    await expect.element(item('Trocas').getByText(/^3 trechos · 2 KB · lida em/)).toBeVisible()
    await expect.element(item('Promoção').getByText('Vencida: a IA não usa')).toBeVisible()
    await expectAccessible()
  })

  it('creates a text from an empty list after it names the missing fields', async () => {
    const { sources } = await openFontes([])
    await button('Nova fonte').click()
    await button('Criar fonte').click()
    await expect.element(dialog.getByText('Dê um título a este texto.')).toBeVisible()
    await expect.element(dialog.getByLabelText('Título')).toHaveFocus()
    await dialog.getByLabelText('Título').fill('Trocas')
    await dialog.getByLabelText('Texto', { exact: true }).last().fill('Trocamos em 7 dias.')
    await expectAccessible()
    await button('Criar fonte').click()
    await expect.element(aviso('“Trocas” está sendo lida.')).toBeVisible()
    expect(sources.sent).toEqual([{ tipo: 'texto', titulo: 'Trocas', texto: 'Trocamos em 7 dias.' }])
    await expect.element(item('Trocas').getByText('Lendo…')).toBeVisible()
  })

  it('sends a file with its last day, and a site without its protocol', async () => {
    const { sources } = await openFontes()
    await button('Nova fonte').click()
    await dialog.getByRole('radio', { name: 'Arquivo' }).click()
    await dialog
      .getByLabelText('Arquivo', { exact: true })
      .last()
      .upload(new File(['Coxinha R$ 6,00'], 'cardapio.txt', { type: 'text/plain' }))
    await dialog.getByLabelText('Vale até (opcional)').fill('2030-12-31')
    await button('Criar fonte').click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(sources.sent[0]).toMatchObject({ arquivo: { name: 'cardapio.txt' }, expiraEm: '2031-01-01T02:59:59.000Z' })
    await button('Nova fonte').click()
    await dialog.getByRole('radio', { name: 'Site' }).click()
    await dialog.getByLabelText('Endereço do site').fill('aurora.com.br')
    await button('Criar fonte').click()
    await expect.element(dialog).not.toBeInTheDocument()
    expect(sources.sent[1]).toEqual({ tipo: 'site', url: 'https://aurora.com.br' })
  })

  it('keeps the written text when the server refuses it, and asks before it closes', async () => {
    const { api } = await openFontes()
    api.on('POST /ia/fontes', () => refusal(409, 'limiteFontes', 'Sua conta já tem 100 fontes.'))
    await button('Nova fonte').click()
    await dialog.getByLabelText('Título').fill('Trocas')
    await dialog.getByLabelText('Texto', { exact: true }).last().fill('Trocamos.')
    await button('Criar fonte').click()
    await expect.element(dialog.getByText('Sua conta já tem 100 fontes.')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByRole('alertdialog', { name: 'Sair sem salvar?' })).toBeVisible()
    await button('Continuar editando').click()
    await expect.element(dialog.getByLabelText('Título')).toHaveValue('Trocas')
  })

  it('reads a source again, shows its pieces and deletes it after a question', async () => {
    const { api, sources } = await openFontes()
    api.on('POST /ia/fontes/f1/reler', () => ({ status: 202, body: { fonte: { ...TROCAS, estado: 'lendo' } } }))
    api.on('GET /ia/fontes/f1/trechos', () =>
      ok({
        trechos: [{ ordem: 1, pagina: 2, secao: 'Prazo', trecho: 'Trocamos em até 7 dias.' }],
        proximoCursor: null,
      }),
    )
    api.on('DELETE /ia/fontes/f1', () => {
      sources.fontes = sources.fontes.filter(({ id }) => id !== 'f1')
      return { status: 204 }
    })
    await choose('Trocas e devoluções', 'Ver os trechos')
    await expect.element(dialog.getByText('Trecho 1 · página 2 · Prazo')).toBeVisible()
    await expect.element(dialog.getByText('Trocamos em até 7 dias.')).toBeVisible()
    await expectAccessible()
    await dialog.getByRole('button', { name: 'Fechar' }).click()
    await choose('Trocas e devoluções', 'Ler de novo')
    await expect.element(item('Trocas').getByText('Lendo…')).toBeVisible()
    await choose('Trocas e devoluções', 'Excluir')
    await button('Excluir fonte').click()
    await expect.element(item('Trocas')).not.toBeInTheDocument()
  })

  it('drops a source that another window deleted, and says so', async () => {
    const { api } = await openFontes()
    api.on('POST /ia/fontes/f1/reler', () => refusal(404, 'naoEncontrado', 'Não encontrado'))
    await choose('Trocas e devoluções', 'Ler de novo')
    await expect.element(aviso('“Trocas e devoluções” já tinha sido excluída.')).toBeVisible()
    await expect.element(item('Trocas')).not.toBeInTheDocument()
  })

  it('shows the end of a reading without a reload', async () => {
    await openFontes()
    await expect.element(item('Padaria Aurora').getByText('Lendo…')).toBeVisible()
    await expect.element(page.getByRole('banner').getByText('Online', { exact: true })).toBeVisible()
    const fonte: Fonte = { ...SITE, estado: 'pronta', trechos: 40, lidaEm: '2026-11-29T12:00:00.000Z' }
    fakeSocket.emit('fonteMudou', { userId: CONTA_ID, timestamp: '2026-11-29T12:00:00.000Z', fonte })
    await expect.element(item('Padaria Aurora').getByText('Pronta')).toBeVisible()
    await expect.element(item('Padaria Aurora').getByText(/^40 trechos/)).toBeVisible()
  })

  it('tries a question and says when no source has an answer', async () => {
    const { api } = await openFontes()
    const trecho = { fonteId: 'f1', titulo: 'Trocas', trecho: 'Trocamos em até 7 dias.', pontuacao: 0.9 }
    api.on('POST /ia/buscar', ({ body }) => ok({ trechos: Object(body).pergunta === 'Trocam?' ? [trecho] : [] }))
    const question = page.getByLabelText('Pergunta do cliente')
    await question.fill('Trocam?')
    await userEvent.keyboard('{Enter}')
    const found = page.getByRole('list', { name: 'Trechos encontrados' })
    await expect.element(found.getByText('Trocamos em até 7 dias.')).toBeVisible()
    await expectAccessible()
    await question.fill('Entregam na Lua?')
    await button('Procurar').click()
    await expect.element(page.getByText(/^Nada nas fontes fala de “Entregam na Lua\?”/)).toBeVisible()
  })

  it('explains a refusal and a failure, and reads again', async () => {
    app = openPanel('/dashboard?aba=ia&lista=fontes')
    app.api.on('GET /ia/fontes', () => refusal(500, 'erroInterno', 'Erro ao carregar as fontes'))
    await expect.element(page.getByText('Erro ao carregar as fontes')).toBeVisible()
    app.api.on('GET /ia/fontes', () => refusal(403, 'semPermissao', 'Sua conta não tem a IA.'))
    await button('Tentar de novo').click()
    await expect.element(page.getByText('Sua conta não tem a IA.')).toBeVisible()
  })
})
