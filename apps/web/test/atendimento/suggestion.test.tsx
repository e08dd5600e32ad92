import { describe, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { makeConfig } from '#test/dashboard/panel.tsx'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConversa } from './sample-conversas.ts'
import { type AtendimentoTestApp, button, composer, createGate, openName, sentBodies, setupAtendimento } from './tab.ts'

const open = setupAtendimento(() => sessionStorage.clear())

const ROUTE = 'POST /atendimento/conversas/c1/sugestao'
const MESSAGE = 'POST /atendimento/conversas/c1/mensagem'
const SUGGESTION = { texto: 'A caneca azul custa R$ 39,90.', fontes: [{ titulo: 'Caneca azul, R$ 39,90' }] }

function openChat({ ativa = true, apiKey = '••••••••0001' } = {}): AtendimentoTestApp {
  const base = makeConfig()
  const config = { ...base, gemini: { apiKey }, ia: { ...base.ia, ativa, apiKey } }
  const mine = makeConversa({ status: 'em_atendimento', operadorId: 'u1', operador: 'Ana Ribeiro' })
  return open({ open: [mine] }, '/dashboard?aba=atendimento&c=c1', { config })
}

const bar = page.getByText('Sugestão da IA: confira antes de enviar.')
const asking = page.getByText('Escrevendo uma sugestão…')
const suggest = button('Sugerir resposta')

describe('Sugerir resposta', () => {
  it('puts a draft with its sources into the field, which the person edits and sends', async () => {
    const app = openChat()
    const gate = createGate()
    app.api.on(ROUTE, () => gate.wait.then(() => ok(SUGGESTION)))
    await suggest.click()
    await expect.element(asking).toBeVisible()
    gate.open()
    await expect.element(composer).toHaveValue(SUGGESTION.texto)
    await expect.element(composer).toHaveFocus()
    await expect.element(page.getByText('Com base em: Caneca azul, R$ 39,90.')).toBeVisible()
    expect(sentBodies(app, MESSAGE)).toEqual([])
    await expectAccessible()
    await userEvent.keyboard(' Quer uma?{Enter}')
    await expect.element(bar).not.toBeInTheDocument()
    expect(sentBodies(app, MESSAGE)).toEqual([expect.objectContaining({ mensagem: `${SUGGESTION.texto} Quer uma?` })])
  })

  it('gives the written text back, and closes the sources without changing the draft', async () => {
    openChat().api.on(ROUTE, () => ok(SUGGESTION))
    await composer.fill('Vou ver')
    await suggest.click()
    await button('Voltar ao meu texto').click()
    await expect.element(composer).toHaveValue('Vou ver')
    await expect.element(bar).not.toBeInTheDocument()
    await suggest.click()
    await button('Fechar as fontes').click()
    await expect.element(bar).not.toBeInTheDocument()
    await expect.element(composer).toHaveValue(SUGGESTION.texto)
  })

  it('answers the key S outside the field, and stops on request', async () => {
    const app = openChat()
    const gate = createGate()
    app.api.on(ROUTE, () => gate.wait.then(() => ok(SUGGESTION)))
    await expect.element(composer).toHaveFocus()
    await userEvent.keyboard('s')
    await expect.element(composer).toHaveValue('s')
    expect(sentBodies(app, ROUTE)).toEqual([])
    await userEvent.keyboard('{Escape}')
    await expect.element(openName('Marina Duarte')).toHaveFocus()
    await userEvent.keyboard('s')
    await button('Parar a sugestão').click()
    await expect.element(asking).not.toBeInTheDocument()
    gate.open()
    await expect.element(composer).toHaveValue('s')
  })

  it.for([
    [422, 'semSugestao', 'Nada do que a loja informou responde a esta conversa.', false],
    [400, 'iaSemChave', 'Configure uma API Key válida primeiro', false],
    [502, 'iaFalhou', 'A IA não respondeu: o Gemini demorou demais.', true],
    [429, 'muitasTentativas', 'Muitas tentativas. Aguarde um pouco e tente novamente.', true],
  ] as const)('leaves the field alone after %i %s', async ([status, codigo, erro, mayRetry]) => {
    openChat().api.on(ROUTE, () => refusal(status, codigo, erro))
    await composer.fill('Vou ver')
    await suggest.click()
    await expect.element(page.getByText(erro)).toBeVisible()
    await expect.element(composer).toHaveValue('Vou ver')
    expect(button('Tentar de novo').elements()).toHaveLength(mayRetry ? 1 : 0)
    await button('Fechar o aviso').click()
    await expect.element(page.getByText(erro)).not.toBeInTheDocument()
  })

  it('is in the menu of a phone', async () => {
    await page.viewport(320, 700)
    openChat().api.on(ROUTE, () => ok(SUGGESTION))
    await button('Anexar e formatar').click()
    await page.getByRole('menuitem', { name: 'Sugerir resposta' }).click()
    await expect.element(composer).toHaveValue(SUGGESTION.texto)
    await expect.element(bar).toBeVisible()
  })

  it.for([
    ['with the AI off', { ativa: false }],
    ['without a key', { apiKey: '' }],
  ] as const)('is absent %s', async ([, fields]) => {
    openChat(fields)
    await expect.element(button('Anexar arquivo')).toBeVisible()
    expect(suggest.elements()).toEqual([])
  })
})
