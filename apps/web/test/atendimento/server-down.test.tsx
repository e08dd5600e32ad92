import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { makeConversa, makeMensagem } from './sample-conversas.ts'
import { type AtendimentoTestApp, button, chat, composer, openName, setupAtendimento } from './tab.ts'

const DRAFT = 'Ainda não respondi'
const open = setupAtendimento(() => localStorage.removeItem(`copia:conversas:${CONTA_ID}`))

const servedConversa = makeConversa({ id: 'c2', operadorId: 'u1', operador: 'Ana Ribeiro', status: 'em_atendimento' })
const ADDRESS = '/dashboard?aba=atendimento&c=c2'

const AFTER_RETRIES = { timeout: 20_000 }

function stopServer({ api }: AtendimentoTestApp): void {
  const fora = () => refusal(503, 'indisponivel', 'O servidor está indisponível.')
  for (const rota of ['', '/c2', '/c2/mensagens']) api.on(`GET /atendimento/conversas${rota}`, fora)
}

async function restoreServer({ api }: AtendimentoTestApp): Promise<void> {
  api.on('GET /atendimento/conversas', () => ok({ conversas: [servedConversa] }))
  await button('Tentar de novo').first().click()
  await expect.element(button('Enviar')).toBeVisible()
}

it('keeps the conversa of the URL until the server answers', async () => {
  const painel = open({ open: [servedConversa] }, ADDRESS)
  stopServer(painel)
  await expect.element(page.getByText('O servidor está indisponível.').first(), AFTER_RETRIES).toBeVisible()
  await expect.poll(() => painel.api.calls.some(({ route }) => route === 'GET /atendimento/conversas/c2')).toBe(true)
  await restoreServer(painel)
  await expect.element(openName('Marina Duarte')).toBeVisible()
})

it('reads the local copy and keeps the draft until the server answers', async () => {
  localStorage.setItem(`copia:conversas:${CONTA_ID}`, JSON.stringify([servedConversa]))
  const painel = open({ open: [servedConversa] }, ADDRESS)
  stopServer(painel)
  await expect.element(page.getByText(/esta é a cópia guardada neste aparelho\.$/), AFTER_RETRIES).toBeVisible()
  await composer.fill(DRAFT)
  await expect.element(button('Enviar')).toBeDisabled()
  await restoreServer(painel)
  await expect.element(button('Enviar')).toBeEnabled()
  await expect.element(composer).toHaveValue(DRAFT)
})

it('shows the stored messages and names the missing ones while no answer arrives', async () => {
  const stored = { ...servedConversa, mensagens: [makeMensagem({ texto: 'Tem bolo de fubá?' })] }
  localStorage.setItem(`copia:conversas:${CONTA_ID}`, JSON.stringify([stored]))
  const painel = open({ open: [servedConversa] }, ADDRESS)
  stopServer(painel)
  painel.api.on('GET /atendimento/conversas/c2/mensagens', () => new Promise(() => undefined))
  await expect.element(chat.getByText('Tem bolo de fubá?'), AFTER_RETRIES).toBeVisible()
  await expect.element(page.getByText(/faltam as outras mensagens e as notas/)).toBeVisible()
  expect(page.getByRole('status', { name: /^Carregando/ }).elements()).toEqual([])
})
