import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient } from './api.ts'
import { openBrowser, openLoggedIn } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { at, DONA, prepareContaWithBot, until } from './ready-conta.ts'

/** An owner adds a second number, and a customer talks with people on both. */

const BIA = { nome: 'Bia Lima', telefone: '+5511944440001' }

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let api: ApiClient
let delivery = ''

const says = (texto: string, linha?: string): Promise<unknown> =>
  api.post('/simulador/mensagens', { ...BIA, texto, ...(linha === undefined ? {} : { linhaId: linha }) })

/** Texts that the customer received on a line. */
async function received(linha?: string): Promise<string[]> {
  const ofLine = linha === undefined ? '' : `&linhaId=${linha}`
  const phone = at(
    await api.get(`/simulador/mensagens?telefone=${encodeURIComponent(BIA.telefone)}${ofLine}`),
    'mensagens',
  )
  if (!Array.isArray(phone)) throw new Error('messages missing')
  return phone.filter((one: unknown) => at(one, 'de') === 'bot').map((one: unknown) => String(at(one, 'texto')))
}

const rows = () => page.getByRole('list', { name: 'Conversas' }).getByRole('listitem')

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const { apis } = await prepareContaWithBot(product, { menu: { digitando: false } })
  const [first] = apis
  if (first === undefined) throw new Error('login missing')
  api = first
  context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  page = await openLoggedIn(context, product.url, DONA)
})

afterAll(async () => {
  await context?.close()
  await browser?.close()
  await product?.destroy()
})

test('a second number is added, connected and shown as a card', async () => {
  await page.goto(`${product.url}/dashboard?aba=geral`)
  await page.getByRole('button', { name: 'Adicionar uma linha' }).click()
  await page.getByLabel('Nome da linha').fill('Delivery')
  await page.getByRole('radio', { name: /^Simulador/ }).click()
  await page.getByRole('button', { name: 'Criar linha' }).click()
  await page.getByRole('button', { name: 'Iniciar bot de Delivery' }).click()
  await page.getByRole('button', { name: 'Conectar o simulador' }).click()
  const card = page.getByRole('region', { name: 'Linhas' }).getByRole('listitem').filter({ hasText: 'Delivery' })
  await card.getByText('Conectado', { exact: true }).waitFor()
  const linhas = at(await api.get('/linhas'), 'linhas')
  const found: unknown = Array.isArray(linhas) ? linhas.find((one: unknown) => at(one, 'nome') === 'Delivery') : null
  delivery = String(at(found, 'id'))
})

test('a customer has one conversa on each number, and each answer leaves on its own', async () => {
  await says('atendente')
  await says('atendente', delivery)
  await page.goto(`${product.url}/dashboard?aba=atendimento`)
  await expect.poll(() => rows().count()).toBe(2)
  await rows().filter({ hasText: 'Linha: Delivery' }).getByRole('link').click()
  const field = page.getByPlaceholder(/Escreva/)
  await field.fill('Sai em 20 minutos.')
  await page.getByText('pela linha Delivery').first().waitFor()
  await field.press('Enter')
  await until(async () => (await received(delivery)).includes('Sai em 20 minutos.'))
  expect(await received()).not.toContain('Sai em 20 minutos.')
})

test('the inbox shows one number alone, and a deleted one keeps its name', async () => {
  const only = async (nome: string): Promise<void> => {
    await page.getByRole('group', { name: 'Linhas' }).getByRole('button', { name: nome }).click()
  }
  await page.getByRole('button', { name: /^Filtros/ }).click()
  await only('Delivery')
  await expect.poll(() => rows().count()).toBe(1)
  await only('Delivery')
  await expect.poll(() => rows().count()).toBe(2)
  expect(await api.status('DELETE', `/linhas/${delivery}?encerrar=true`)).toBe(204)
  await page.goto(`${product.url}/dashboard?aba=geral`)
  await page.getByRole('heading', { name: 'Status do Bot' }).waitFor()
  const ended = at(await api.get(`/atendimento/conversas?status=finalizada&linha=${delivery}`), 'conversas')
  expect(at(ended, '0', 'linha', 'nome')).toBe('Delivery')
})
