import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient } from './api.ts'
import { openBrowser, openLoggedIn } from './browser.ts'
import { prepareContaWithBot, at, DONA, loginToApi } from './ready-conta.ts'
import { type Product, startProduct } from './product.ts'

/**
 * A customer asks the shop for their data, then for deletion, and the owner does both. The tests build on each
 * other.
 */

const MARINA = { nome: 'Marina Duarte', telefone: '+55 11 98765-4444' }
const OUTRA = { nome: 'Rosa Pereira', telefone: '+55 11 98765-5555' }
const SEGREDO = 'sou alérgica a amendoim'

let product: Product
let browser: Browser
let api: ApiClient
let atendimento: Page
let geral: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const [first] = (await prepareContaWithBot(product, { menu: { digitando: false } })).apis
  if (first === undefined) throw new Error('login missing')
  api = first
  // Two windows: Chromium draws a tab in the background once a second, and each click waits for two frames.
  const window = { locale: 'pt-BR', viewport: { width: 1366, height: 800 } }
  geral = await openLoggedIn(await browser.newContext(window), product.url, DONA)
  atendimento = await openLoggedIn(await browser.newContext(window), product.url, DONA)
  await atendimento.goto(`${product.url}/dashboard?aba=atendimento`)
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

const escreve = (quem: typeof MARINA, texto: string): Promise<unknown> =>
  api.post('/simulador/mensagens', { ...quem, texto })
const card = ({ nome }: typeof MARINA): Locator =>
  atendimento.getByRole('list', { name: 'Conversas' }).getByRole('link', { name: nome })

async function respostas({ telefone }: typeof MARINA): Promise<number> {
  const mensagens = at(await api.get(`/simulador/mensagens?telefone=${encodeURIComponent(telefone)}`), 'mensagens')
  return Array.isArray(mensagens) ? mensagens.filter((uma: unknown) => at(uma, 'de') === 'bot').length : 0
}

test('two customers write to the shop, and the owner sees both', async () => {
  for (const quem of [MARINA, OUTRA]) {
    await escreve(quem, quem === MARINA ? SEGREDO : 'bom dia')
    await escreve(quem, 'atendente')
    await expect.poll(() => card(quem).count()).toBe(1)
  }
})

test('the owner finds a customer without the ninth digit and exports the stored data', async () => {
  await geral.goto(`${product.url}/dashboard?aba=geral`)
  await geral.getByRole('heading', { name: 'Privacidade (LGPD)' }).click()
  await geral.getByLabel('Telefone, @nome ou protocolo').fill('11 8765-4444')
  await geral.getByRole('button', { name: 'Procurar' }).click()
  // A notice may name the customer as well.
  await expect.poll(() => geral.getByText(MARINA.nome).first().isVisible()).toBe(true)
  const [downloaded] = await Promise.all([
    geral.waitForEvent('download'),
    geral.getByRole('button', { name: 'Exportar dados' }).click(),
  ])
  expect(downloaded.suggestedFilename()).toBe('dados-do-cliente-5511987654444.json')
  const exportado = await readFile(await downloaded.path(), 'utf8')
  expect(exportado).toContain(SEGREDO)
  expect(exportado).not.toContain(OUTRA.nome)
})

test('the owner erases a customer after typing the number, and every screen drops her', async () => {
  await geral.getByRole('button', { name: 'Apagar tudo' }).click()
  const remove = geral.getByRole('button', { name: 'Apagar para sempre' })
  expect(await remove.isDisabled()).toBe(true)
  await geral.getByLabel('Para confirmar, digite').fill('11 98765-4444')
  await remove.click()
  await expect.poll(() => geral.getByText(/^Pronto: os dados deste cliente foram apagados/).isVisible()).toBe(true)
  await expect.poll(() => card(MARINA).count()).toBe(0)
  expect(await card(OUTRA).count()).toBe(1)
  expect(await respostas(MARINA)).toBe(0)
})

test('the erased customer stays deleted after a power cut and returns as a new one', async () => {
  await product.powerCut()
  await product.start()
  api = (await loginToApi(product.url, DONA.email, DONA.senha)).api
  expect(await api.status('GET', `/lgpd/titulares/${encodeURIComponent(MARINA.telefone)}`)).toBe(404)
  expect(await api.status('GET', `/lgpd/titulares/${encodeURIComponent(OUTRA.telefone)}`)).toBe(200)
  await expect.poll(async () => at(await api.get('/bot/status'), 'status')).toBe('CONECTADO')
  await escreve(MARINA, 'oi')
  await expect.poll(() => respostas(MARINA)).toBeGreaterThan(0)
})
