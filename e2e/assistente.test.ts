import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VALID_KEY, createFakeGemini, type FakeGemini } from '@balcao/server/testing'
import type { ApiClient } from './api.ts'
import { waitForNotice, recordNotices } from './notices.ts'
import { openBrowser, openLoggedIn } from './browser.ts'
import { prepareContaWithBot, at, DONA } from './ready-conta.ts'
import { type Product, startProduct } from './product.ts'

/**
 * An owner with an API key sets up an assistant that answers customers and transfers to people. The tests build on
 * each other.
 */

const RAFA = { nome: 'Rafa', telefone: '+5511944443333' }

let gemini: FakeGemini
let product: Product
let browser: Browser
let api: ApiClient
let dona: Page

beforeAll(async () => {
  gemini = await createFakeGemini()
  product = await startProduct({ GEMINI_BASE_URL: gemini.url })
  browser = await openBrowser()
  const loja = await prepareContaWithBot(product, { menu: { digitando: false }, ia: { esperaSegundos: 0 } })
  const [primeira] = loja.apis
  if (primeira === undefined) throw new Error('login missing')
  api = primeira
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 900 } })
  dona = await openLoggedIn(context, product.url, DONA)
  await recordNotices(dona)
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
  await gemini?.close()
})

const escreve = (texto: string): Promise<unknown> => api.post('/simulador/mensagens', { ...RAFA, texto })

async function noCelular(): Promise<string[]> {
  const mensagens = at(await api.get(`/simulador/mensagens?telefone=${encodeURIComponent(RAFA.telefone)}`), 'mensagens')
  if (!Array.isArray(mensagens)) throw new Error('messages missing')
  return mensagens.filter((uma: unknown) => at(uma, 'de') === 'bot').map((uma: unknown) => String(at(uma, 'texto')))
}

test('the owner tests an API key and reads whether it is valid', async () => {
  await dona.goto(`${product.url}/dashboard?aba=ia`)
  await dona.getByRole('switch', { name: /Assistente de IA/ }).click()
  await dona.getByLabel('API Key', { exact: true }).fill('AIzaUmaChaveQueNaoExiste')
  await dona.getByRole('button', { name: 'Testar', exact: true }).click()
  await expect.poll(() => dona.getByText('Chave inválida').first().isVisible()).toBe(true)
  await dona.getByLabel('API Key', { exact: true }).fill(VALID_KEY)
  await dona.getByRole('button', { name: 'Testar', exact: true }).click()
  await expect.poll(() => dona.getByText('Chave válida', { exact: true }).isVisible()).toBe(true)
})

test('the owner asks the assistant with unsaved settings', async () => {
  gemini.answerNext({ tipo: 'texto', texto: 'Temos bolo de fubá e de cenoura.' })
  await dona.getByLabel('Pergunta de teste').fill('que bolos vocês têm?')
  await dona.getByRole('button', { name: 'Perguntar' }).click()
  await expect.poll(() => dona.getByText('Temos bolo de fubá e de cenoura.').isVisible()).toBe(true)
  expect(gemini.requests.at(-1)?.chave).toBe(VALID_KEY)
})

test('a customer gets one answer from the assistant, and personal data is masked', async () => {
  await dona.getByLabel('Prompt de treinamento').fill('O bolo de fubá sai às 16h.')
  await dona.getByRole('button', { name: 'Salvar', exact: true }).first().click()
  await waitForNotice(dona, 'Configurações da IA salvas com sucesso!')
  await escreve('oi')
  await expect.poll(async () => (await noCelular()).length).toBeGreaterThan(0)
  gemini.answerNext({ tipo: 'texto', texto: 'O de fubá sai às 16h.' })
  await escreve('assistente: meu CPF é 529.982.247-25, que horas sai o bolo?')
  await expect.poll(async () => (await noCelular()).at(-1)).toBe('O de fubá sai às 16h.')
  expect((await noCelular()).filter((text) => text === 'O de fubá sai às 16h.')).toHaveLength(1)
  expect(gemini.requests.at(-1)?.rawBody).toContain('que horas sai o bolo?')
  expect(gemini.requests.at(-1)?.rawBody).not.toContain('529.982.247-25')
})

test('the assistant transfers a customer to a setor, and the owner reads its reasons', async () => {
  gemini.answerNext({ tipo: 'ferramentas', chamadas: [{ nome: 'transferir_para_setor', args: { setor: 'vendas' } }] })
  await escreve('quero encomendar cem salgados')
  await dona.goto(`${product.url}/dashboard?aba=atendimento`)
  const card = dona.getByRole('list', { name: 'Conversas' }).getByRole('link', { name: RAFA.nome })
  await expect.poll(() => card.textContent()).toContain('Vendas')
  await card.click()
  await dona.getByRole('button', { name: 'Por que respondeu isto?' }).last().click()
  const porque = dona.getByRole('dialog', { name: 'Por que respondeu isto?' })
  await expect
    .poll(() =>
      porque
        .getByText(/que horas sai o bolo/)
        .first()
        .isVisible(),
    )
    .toBe(true)
  expect(await porque.innerText()).not.toContain('529.982.247-25')
})

test('the owner sees the counted usage', async () => {
  expect(Number(at(await api.get('/gemini/uso'), 'hoje', 'perguntas'))).toBeGreaterThanOrEqual(3)
})

test('a customer gets the fallback reply while the provider is down, and the conversa continues', async () => {
  const bia = { nome: 'Bia', telefone: '+5511933332222' }
  gemini.answerAlways(() => ({ tipo: 'erro', status: 500 }))
  await api.post('/simulador/mensagens', { ...bia, texto: 'oi' })
  await api.post('/simulador/mensagens', { ...bia, texto: 'assistente, tem bolo?' })
  const respostas = async (): Promise<string> =>
    JSON.stringify(await api.get(`/simulador/mensagens?telefone=${encodeURIComponent(bia.telefone)}`))
  const naoEntendi = String(at(await api.get('/config'), 'config', 'ia', 'respostasPredefinidas', 'naoEntendi'))
  await expect.poll(respostas).toContain(naoEntendi.slice(0, 20))
  await api.post('/simulador/mensagens', { ...bia, texto: 'menu' })
  await expect.poll(async () => (await respostas()).split('"de":"bot"').length).toBeGreaterThan(3)
})
