import { afterEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { expectAccessible } from '#test/axe.ts'
import { ok, refusal } from '#test/fake-api.ts'
import { montarPainel, type PainelDeTeste, type Servidor, umaConfig } from '../dashboard/painel.tsx'

let painel: PainelDeTeste | null = null
function abrir(inicial?: Partial<Servidor>): PainelDeTeste {
  painel = montarPainel('/dashboard?aba=ia', inicial)
  painel.api.on('GET /gemini/modelos', () =>
    ok({ modelos: [{ id: 'gemini-2.5-flash', nome: 'Gemini 2.5 Flash', recomendado: true }] }),
  )
  return painel
}
afterEach(() => painel?.desmontar())

const chave = page.getByLabelText('API Key', { exact: true })
const salvar = page.getByRole('button', { name: 'Salvar', exact: true })
const aviso = (texto: string) => page.getByRole('region', { name: 'Avisos' }).getByText(texto)

describe('the settings', () => {
  it('refuses to be active without a key', async () => {
    const { api } = abrir()
    await page.getByRole('switch', { name: /Assistente de IA/ }).click()
    await salvar.click()
    await expect.element(aviso('API Key é obrigatória quando a IA está ativada')).toBeVisible()
    await expect.element(chave).toHaveFocus()
    expect(api.calls.some(({ route }) => route === 'PUT /config')).toBe(false)
  })

  it('saves the whole configuration with the key under both names and the version it was read from', async () => {
    const { api } = abrir()
    api.on('PUT /config', () => ok({ sucesso: true, config: umaConfig('padaria-aurora', 4) }))
    await chave.fill('AIza-nova')
    await page.getByLabelText('Nova palavra ou frase').fill('robô')
    await page.getByRole('button', { name: 'Adicionar' }).click()
    await page.getByRole('button', { name: 'Remover bot' }).click()
    await salvar.click()
    await expect.element(aviso('Configurações da IA salvas com sucesso!')).toBeVisible()
    expect(api.calls.find(({ route }) => route === 'PUT /config')?.body).toMatchObject({
      versao: 3,
      gemini: { apiKey: 'AIza-nova' },
      ia: {
        apiKey: 'AIza-nova',
        gatilhos: ['ia', 'inteligencia artificial', 'assistente', 'ajuda automatica', 'robô'],
      },
    })
  })

  it('asks what to do when another window saved first', async () => {
    const { api } = abrir()
    api.on('PUT /config', () => refusal(409, 'versaoDesatualizada', 'x', { versao: 9 }))
    await chave.fill('AIza-nova')
    await salvar.click()
    await expect.element(page.getByText('A configuração mudou em outra janela')).toBeVisible()
    await page.getByRole('button', { name: 'Continuar editando' }).click()
    await expect.element(chave).toHaveValue('AIza-nova')
  })
})

describe('the provider', () => {
  it('tells a key that is missing, good, bad and impossible to test', async () => {
    const { api } = abrir()
    const testar = page.getByRole('button', { name: 'Testar', exact: true })
    await testar.click()
    await expect.element(aviso('Digite uma API Key para testar')).toBeVisible()
    await chave.fill('AIza')
    api.on('POST /gemini/validar', () => ok({ valida: true }))
    await testar.click()
    await expect.element(page.getByText('Chave válida', { exact: true })).toBeVisible()
    api.on('POST /gemini/validar', () => ok({ valida: false }))
    await testar.click()
    await expect.element(aviso('API Key inválida')).toBeVisible()
    api.on('POST /gemini/validar', () => refusal(502, 'provedor', 'fora do ar'))
    await testar.click()
    await expect.element(aviso('Erro ao validar API Key: fora do ar')).toBeVisible()
    await expect.element(page.getByText('Não foi possível testar a chave')).toBeVisible()
  })

  it('answers a test with the unsaved settings, and says when it cannot', async () => {
    const { api } = abrir()
    const pergunta = page.getByLabelText('Pergunta de teste')
    const perguntar = page.getByRole('button', { name: 'Perguntar' })
    await perguntar.click()
    await expect.element(aviso('Configure uma API Key válida primeiro')).toBeVisible()
    await chave.fill('AIza')
    api.on('POST /gemini/testar', () => ok({ resposta: 'Abrimos às 8h.', duracaoMs: 10 }))
    await pergunta.fill('Que horas abrem?')
    await perguntar.click()
    await expect.element(page.getByText('Abrimos às 8h.')).toBeVisible()
    expect(api.calls.find(({ route }) => route === 'POST /gemini/testar')?.body).toMatchObject({
      pergunta: 'Que horas abrem?',
      ia: { apiKey: 'AIza' },
    })
    api.on('POST /gemini/testar', () => refusal(502, 'provedor', 'fora do ar'))
    await pergunta.fill('E amanhã?')
    await perguntar.click()
    await expect.element(page.getByText('Erro ao gerar resposta de teste.')).toBeVisible()
  })
})

it('is accessible in both themes', async () => {
  abrir()
  await expect.element(page.getByText('Testar a IA')).toBeVisible()
  await expectAccessible()
})
