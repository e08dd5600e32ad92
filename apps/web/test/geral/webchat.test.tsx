import type { Webchat } from '@balcao/contract/entities/webchat'
import { afterEach, describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { originOf } from '#features/geral/linhas/webchat/use-webchat.ts'
import type { PanelTestApp } from '#test/dashboard/panel.tsx'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { aviso, card, lastBody, MAIN, openLines, SITE } from './lines.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const WEBCHAT: Webchat = {
  ...{ chave: 'k1', origens: [], cor: '#1f7a4d', saudacao: 'Olá! Como podemos ajudar?', pedirNome: false },
  codigo: '<script async src="https://painel.test/chat/k1/chat.js"></script>',
}

/** Opens Geral with a chat on the site, over a server that stores its settings. */
function abrir(fields: Partial<Webchat> = {}): PanelTestApp {
  const screen = openLines([MAIN, SITE])
  painel = screen
  let stored = { ...WEBCHAT, ...fields }
  screen.api.on('GET /linhas/l3/webchat', () => ok({ webchat: stored }))
  screen.api.on('PUT /linhas/l3/webchat', ({ body }) => {
    stored = { ...stored, ...Object(body) }
    return ok({ webchat: stored })
  })
  return screen
}

async function openSettings(): Promise<void> {
  await page.getByRole('button', { name: 'Configurar o chat de Site' }).click()
  await expect.element(page.getByLabelText('Saudação')).toBeVisible()
}

const site = page.getByLabelText('Endereço do site')
const addSite = page.getByRole('button', { name: 'Adicionar site' })
const save = page.getByRole('dialog').getByRole('button', { name: 'Salvar', exact: true })
const preview = page.getByRole('figure', { name: 'Como o visitante vê' })

describe('Settings of the chat on the site', () => {
  it('says that the chat opens nowhere until a site is added', async () => {
    const screen = abrir()
    await expect.element(card('Site').getByText(/ainda não abre em nenhum site/)).toBeVisible()
    await openSettings()
    await expect.element(page.getByText(/não abre em lugar nenhum/)).toBeVisible()
    await expect.element(save).toBeDisabled()
    await site.fill('minha loja')
    await addSite.click()
    await expect.element(page.getByText(/^Escreva o endereço do site/)).toBeVisible()
    await site.fill('www.sualoja.com.br/contato')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('https://www.sualoja.com.br', { exact: true })).toBeVisible()
    await expect.element(site).toHaveValue('')
    await site.fill('https://WWW.sualoja.com.br/')
    await addSite.click()
    await expect.element(page.getByText('Este site já está na lista')).toBeVisible()
    await save.click()
    await expect.element(aviso('Chat do site salvo.')).toBeVisible()
    expect(lastBody(screen, 'PUT /linhas/l3/webchat')).toEqual({ origens: ['https://www.sualoja.com.br'] })
    await page.getByRole('button', { name: 'Fechar', exact: true }).first().click()
    await expect.element(card('Site').getByText('www.sualoja.com.br')).toBeVisible()
  })

  it('previews colour, greeting and question before the save', async () => {
    abrir()
    await openSettings()
    await page.getByLabelText('Saudação').fill('Oi, freguês!')
    await page.getByLabelText('Cor do chat').fill('#ffdd00')
    await page.getByRole('switch', { name: /Perguntar o nome/ }).click()
    await expect.element(preview.getByText('Oi, freguês!')).toBeVisible()
    await expect.element(preview.getByText('Seu nome')).toBeVisible()
    await expect.element(preview.getByText('Oi! Vocês entregam hoje?')).toHaveStyle({ color: 'rgb(0, 0, 0)' })
    await userEvent.keyboard('{Escape}')
    await expect.element(page.getByText('As mudanças do chat ainda não foram salvas.')).toBeVisible()
    await page.getByRole('button', { name: 'Sair sem salvar' }).click()
    await expect.element(page.getByLabelText('Saudação')).not.toBeInTheDocument()
  })

  it('shows a refused field beside it and keeps the edits', async () => {
    const screen = abrir({ origens: ['https://a.com.br'] })
    screen.api.on('PUT /linhas/l3/webchat', () =>
      refusal(400, 'dadosInvalidos', 'Confira os campos.', {
        detalhes: [{ caminho: 'cor', mensagem: 'Escolha uma cor, como #1f7a4d' }],
      }),
    )
    await openSettings()
    await page.getByLabelText('Cor do chat').fill('verde')
    await save.click()
    await expect.element(page.getByLabelText('Cor do chat')).toHaveAccessibleDescription(/Escolha uma cor/)
    await expect.element(page.getByLabelText('Cor do chat')).toHaveValue('verde')
  })

  it('shows the code to paste, and the secret once after a question', async () => {
    const screen = abrir({ origens: ['https://a.com.br', 'https://b.com.br'] })
    screen.api.on('POST /linhas/l3/webchat/segredo', () => ok({ segredo: 's3gr3d0' }))
    await expect.element(card('Site').getByText('e mais 1 site')).toBeVisible()
    await openSettings()
    await expect.element(page.getByLabelText('Código do chat')).toHaveValue(WEBCHAT.codigo)
    await expect
      .element(page.getByRole('link', { name: /Chat no site, no manual/ }))
      .toHaveAttribute('href', '/ajuda/chat-no-site')
    await page.getByRole('button', { name: 'Gerar segredo' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Gerar segredo' }).click()
    await expect.element(page.getByLabelText('Segredo do chat')).toHaveValue('s3gr3d0')
    await expect.element(page.getByText('Guarde o segredo agora')).toBeVisible()
    await expectAccessible()
  })

  it('offers a retry when the settings do not load', async () => {
    const screen = abrir()
    screen.api.on('GET /linhas/l3/webchat', () => refusal(500, 'erroInterno', 'Erro ao carregar o chat do site'))
    await page.getByRole('button', { name: 'Configurar o chat de Site' }).click()
    await expect.element(page.getByText('Erro ao carregar o chat do site')).toBeVisible()
    screen.api.on('GET /linhas/l3/webchat', () => ok({ webchat: WEBCHAT }))
    await page.getByRole('button', { name: 'Tentar de novo' }).click()
    await expect.element(page.getByLabelText('Saudação')).toBeVisible()
  })

  it.each([
    ['sualoja.com.br', 'https://sualoja.com.br'],
    ['https://loja.com.br:8443/x?y=1', 'https://loja.com.br:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://loja.com.br', null],
    ['loja', null],
    ['', null],
  ])('reads the address "%s" as %s', (typed, origin) => {
    expect(originOf(typed)).toBe(origin)
  })
})
