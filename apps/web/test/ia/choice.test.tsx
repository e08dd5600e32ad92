import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { makeConfig, type PanelServer, type PanelTestApp } from '#test/dashboard/panel.tsx'
import {
  askButton,
  aviso,
  keyField,
  lastSavedConfig,
  NO_COST,
  openIaTab,
  openUsage,
  questionField,
  saveButton,
  testButton,
  withKey,
} from './tab.ts'

let painel: PanelTestApp | null = null
afterEach(() => painel?.unmount())

const provider = page.getByLabelText('Provedor', { exact: true })
const model = page.getByLabelText('Modelo')
const address = page.getByLabelText('Endereço do provedor')
const presentation = page.getByLabelText('Apresentação')
const budget = page.getByLabelText('Orçamento por mês')
const privacy = page.getByRole('main')

function open(initial?: Partial<PanelServer>): PanelTestApp {
  painel = openIaTab(initial)
  painel.api.on('PUT /config', () => ok({ sucesso: true, config: makeConfig('padaria-aurora', 4) }))
  return painel
}

describe('IA: provider', () => {
  it('changes key, model and privacy with the provider, and keeps the other key', async () => {
    const screen = open(withKey())
    screen.api.on('POST /gemini/validar', () => ok({ valida: true }))
    await provider.selectOptions('OpenAI (ChatGPT)')
    await expect.element(keyField).toHaveValue('')
    await expect.element(page.getByText('página da OpenAI')).toBeVisible()
    await expect.element(model).toHaveValue('gpt-6-luna')
    await expect.element(privacy.getByText(/Quem recebe é a OpenAI/)).toBeVisible()
    await expect.element(privacy.getByText(/^O texto das suas fontes/)).toBeVisible()
    await keyField.fill('sk-nova')
    await testButton.click()
    await expect.element(page.getByText('Chave válida', { exact: true })).toBeVisible()
    expect(screen.api.calls.findLast(({ route }) => route === 'POST /gemini/validar')?.body).toEqual({
      ...{ provedor: 'openai', apiKey: 'sk-nova' },
    })
    await saveButton.click()
    await expect
      .poll(() => lastSavedConfig(screen))
      .toMatchObject({
        gemini: { apiKey: '••••••••1234' },
        ia: { provedor: 'openai', modeloGemini: 'gpt-6-luna', chaves: { openai: 'sk-nova' } },
      })
    await expectAccessible()
  })

  it('asks for the address of an own server, whose key is optional, and shows its refusal', async () => {
    const screen = open(withKey({ ativa: true }))
    await provider.selectOptions('Outro, em endereço próprio')
    await expect.element(privacy.getByText('Os trechos das suas fontes que falam da pergunta')).toBeVisible()
    await saveButton.click()
    await expect.element(aviso('Informe o endereço do provedor')).toBeVisible()
    await expect.element(address).toHaveFocus()
    await questionField.fill('Oi?')
    await askButton.click()
    await expect.element(address).toHaveFocus()
    await address.fill('https://ollama.interno/v1')
    await model.fill('llama3.1:8b')
    const mensagem = 'Este endereço não é permitido.'
    screen.api.on('PUT /config', () =>
      refusal(400, 'dadosInvalidos', mensagem, { detalhes: [{ caminho: 'ia.urlBase', mensagem }] }),
    )
    await saveButton.click()
    await expect.element(address).toHaveAccessibleDescription(new RegExp(mensagem))
  })

  it('shows a stored own server in both themes', async () => {
    open(withKey({ ativa: true, provedor: 'compativel', urlBase: 'https://ollama.interno/v1' }))
    await expect.element(address).toHaveValue('https://ollama.interno/v1')
    await expectAccessible()
  })
})

describe('IA: trust', () => {
  it('refuses an empty presentation while the AI is on', async () => {
    const screen = open(withKey({ ativa: true }))
    await presentation.fill(' ')
    await saveButton.click()
    await expect.element(presentation).toHaveFocus()
    expect(lastSavedConfig(screen)).toBeUndefined()
    await presentation.fill('Sou a Lia, assistente virtual.')
    await saveButton.click()
    await expect
      .poll(() => lastSavedConfig(screen))
      .toMatchObject({
        ia: { apresentacao: 'Sou a Lia, assistente virtual.' },
      })
  })

  it('lists the data that leave with the settings of the screen', async () => {
    open(withKey())
    await expect.element(privacy.getByText(/Todos os áudios dos clientes/)).not.toBeInTheDocument()
    await page.getByRole('switch', { name: /Transcrever os áudios/ }).click()
    await expect.element(privacy.getByText(/Todos os áudios dos clientes/)).toBeVisible()
    await page.getByRole('switch', { name: /Enviar fotos e áudios/ }).click()
    await expect.element(privacy.getByText(/Os áudios da pergunta, inteiros/)).toBeVisible()
    await provider.selectOptions('Anthropic (Claude)')
    await expect.element(privacy.getByText(/Os áudios da pergunta, inteiros/)).not.toBeInTheDocument()
    await expect.element(privacy.getByText(/As fotos da pergunta, inteiras/)).toBeVisible()
  })
})

describe('IA: budget', () => {
  it('saves a sum in cents and none for an empty field', async () => {
    const screen = open(withKey({ orcamentoCentavosMes: 5_000 }))
    await expect.element(budget).toHaveValue('50,00')
    await budget.fill('12,5')
    await saveButton.click()
    await expect.poll(() => lastSavedConfig(screen)).toMatchObject({ ia: { orcamentoCentavosMes: 1_250 } })
    painel?.unmount()
    const second = open(withKey({ orcamentoCentavosMes: 5_000 }))
    await budget.fill('')
    await saveButton.click()
    await expect.poll(() => lastSavedConfig(second)).toMatchObject({ ia: { orcamentoCentavosMes: null } })
  })

  it('shows the cost of the month beside the budget, and the end of it', async () => {
    const screen = open(withKey())
    const hoje = { perguntas: 1, tokensEntrada: 10, tokensSaida: 1 }
    const dias = [{ dia: '2026-11-29', ...hoje }]
    screen.api.on('GET /gemini/uso', () =>
      ok({ hoje, dias, mes: { ...NO_COST, custoCentavos: 5_000, orcamentoCentavos: 5_000 } }),
    )
    await openUsage()
    await expect.element(page.getByRole('meter', { name: 'Orçamento usado' })).toHaveAttribute('aria-valuenow', '100')
    await expect.element(page.getByText(/O orçamento acabou/)).toBeVisible()
    await expectAccessible()
  })
})
