import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { ok, refusal } from '#test/fake-api.ts'
import { CONTA_ID } from '#test/dashboard/panel.tsx'
import { type AtendimentoTestApp, button, composer, makeConversa, openName, setupAtendimento } from './tab.ts'

const RASCUNHO = 'Ainda não respondi'
const abrir = setupAtendimento(() => localStorage.removeItem(`copia:conversas:${CONTA_ID}`))

const dela = makeConversa({ id: 'c2', operadorId: 'u1', operador: 'Ana Ribeiro', status: 'em_atendimento' })
const ENDERECO = '/dashboard?aba=atendimento&c=c2'

const AO_DESISTIR = { timeout: 20_000 }

function semServidor({ api }: AtendimentoTestApp): void {
  const fora = () => refusal(503, 'indisponivel', 'O servidor está indisponível.')
  for (const rota of ['', '/c2', '/c2/mensagens']) api.on(`GET /atendimento/conversas${rota}`, fora)
}

async function servidorVolta({ api }: AtendimentoTestApp): Promise<void> {
  api.on('GET /atendimento/conversas', () => ok({ conversas: [dela] }))
  await button('Tentar de novo').first().click()
  await expect.element(button('Enviar')).toBeVisible()
}

it('keeps the conversa of the URL until the server answers', async () => {
  const painel = abrir({ open: [dela] }, ENDERECO)
  semServidor(painel)
  await expect.element(page.getByText('O servidor está indisponível.').first(), AO_DESISTIR).toBeVisible()
  await expect.poll(() => painel.api.calls.some(({ route }) => route === 'GET /atendimento/conversas/c2')).toBe(true)
  await servidorVolta(painel)
  await expect.element(openName('Marina Duarte')).toBeVisible()
})

it('reads the local copy and keeps the draft until the server answers', async () => {
  localStorage.setItem(`copia:conversas:${CONTA_ID}`, JSON.stringify([dela]))
  const painel = abrir({ open: [dela] }, ENDERECO)
  semServidor(painel)
  await expect.element(page.getByText(/esta é a cópia guardada neste aparelho\.$/), AO_DESISTIR).toBeVisible()
  await composer.fill(RASCUNHO)
  await expect.element(button('Enviar')).toBeDisabled()
  await servidorVolta(painel)
  await expect.element(button('Enviar')).toBeEnabled()
  await expect.element(composer).toHaveValue(RASCUNHO)
})
