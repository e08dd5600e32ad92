import '../dashboard/fake-socket.ts'
import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConfig, type PanelTestApp } from '#test/dashboard/panel.tsx'
import { aviso, makeOperadorUsuario, openEquipePanel, requestBodies } from './equipe-panel.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

it('saves distribution, absence and silence, and marks numbers outside their limits', async () => {
  const { api } = (painel = openEquipePanel('fila'))
  api.on('PUT /config', ({ body }) => ok({ sucesso: true, config: { ...makeConfig(), ...Object(body), versao: 4 } }))
  await page.getByRole('switch', { name: /^Distribuir sozinho/ }).click()
  const capacity = page.getByLabelText('Conversas por pessoa')
  await expect.element(capacity).toHaveValue(5)
  await userEvent.fill(capacity, '51')
  await page.getByRole('button', { name: 'Salvar alterações' }).click()
  await expect.element(page.getByText('Escolha de 1 a 50 conversas')).toBeVisible()
  await expect.element(capacity).toHaveFocus()
  await userEvent.fill(capacity, '3')
  await userEvent.fill(page.getByLabelText('Mensagem quando ninguém do setor está online'), 'Já voltamos.')
  await page.getByRole('switch', { name: /^Encerrar conversas sem resposta/ }).click()
  await userEvent.fill(page.getByLabelText('Avisar depois de (minutos)'), '30')
  await expectAccessible()
  await page.getByRole('button', { name: 'Salvar alterações' }).click()
  await expect.element(aviso('Regras da fila salvas com sucesso!')).toBeVisible()
  expect(requestBodies(painel, 'PUT /config')).toMatchObject([
    {
      atendimento: {
        distribuicao: { modo: 'automatica', capacidade: 3, semRespostaMinutos: 5 },
        semNinguem: 'Já voltamos.',
        inatividade: { ativa: true, avisoMinutos: 30, encerrarMinutos: 60 },
      },
    },
  ])
})

it('saves the daily summary with its phone, shows an example and marks a bad phone', async () => {
  const { api } = (painel = openEquipePanel('fila'))
  api.on('PUT /config', ({ body }) => ok({ sucesso: true, config: { ...makeConfig(), ...Object(body), versao: 4 } }))
  await page.getByRole('switch', { name: /^Receber o resumo no WhatsApp/ }).click()
  await expect.element(page.getByText(/Quem mais esperou: Marina \(1 h 12 min\)/)).toBeVisible()
  const phone = page.getByLabelText('Telefone que recebe')
  await userEvent.fill(phone, '123')
  await page.getByRole('button', { name: 'Salvar alterações' }).click()
  await expect.element(page.getByText('Informe o telefone com DDD, como (11) 98765-4321')).toBeVisible()
  await expect.element(phone).toHaveFocus()
  await expectAccessible()
  const test = page.getByRole('button', { name: 'Enviar agora para testar' })
  await expect.element(test).toBeDisabled()
  await userEvent.fill(phone, '(11) 98765-4321')
  await userEvent.fill(page.getByLabelText('Hora'), '07:30')
  await page.getByRole('button', { name: 'Salvar alterações' }).click()
  await expect.element(aviso('Regras da fila salvas com sucesso!')).toBeVisible()
  expect(requestBodies(painel, 'PUT /config')).toMatchObject([
    { atendimento: { resumoDiario: { ativo: true, hora: '07:30', telefone: '(11) 98765-4321' } } },
  ])
  api.on('POST /config/resumo/testar', () => refusal(409, 'botDesconectado', 'O bot não está conectado.'))
  await test.click()
  await expect.element(aviso('O bot não está conectado.')).toBeVisible()
  api.on('POST /config/resumo/testar', () => ({ status: 202, body: { sucesso: true } }))
  await test.click()
  await expect.element(aviso('Resumo de teste enviado. Confira no WhatsApp.')).toBeVisible()
})

it('is closed to operadores', async () => {
  painel = openEquipePanel('fila', { usuario: makeOperadorUsuario() })
  await expect.element(page.getByText(/Só quem cuida da conta/)).toBeVisible()
})
