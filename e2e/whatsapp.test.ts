import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type FakePhone,
  type FakeCustomer,
  createFakePhone,
  createFakeCustomer,
  createFakeServer,
  type FakeServer,
} from '@balcao/whatsapp/rede-falsa'
import type { ApiClient } from './api.ts'
import { openBrowser, openLoggedIn } from './browser.ts'
import { readQrCode } from './read-qr.ts'
import { prepareConta, at, DONA } from './ready-conta.ts'
import { type Product, startProduct } from './product.ts'

/**
 * The product on WhatsApp's protocol with a fake network, from the QR code to an avaliacao. The tests build on each
 * other.
 */

const EU = { numero: '5511990000001', lid: '100000000000001', nome: 'Padaria Aurora' }
const MARINA = { numero: '5511955554444', lid: '200000000000001', nome: 'Marina Duarte' }

let network: FakeServer
let celular: FakePhone
let marina: FakeCustomer
let product: Product
let browser: Browser
let api: ApiClient
let page: Page

beforeAll(async () => {
  network = await createFakeServer()
  celular = createFakePhone(network, EU)
  marina = createFakeCustomer(network, MARINA)
  product = await startProduct({ WHATSAPP_WS_URL: network.url, CONECTOR_PADRAO: 'whatsapp' })
  browser = await openBrowser()
  const { apis } = await prepareConta(product, { menu: { digitando: false } })
  const [primeira] = apis
  if (primeira === undefined) throw new Error('login missing')
  api = primeira
  const context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 900 } })
  page = await openLoggedIn(context, product.url, DONA)
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
  await network?.close()
})

const card = (): Locator => page.getByRole('list', { name: 'Conversas' }).getByRole('link', { name: MARINA.nome })
const open = (): Locator => page.locator('[data-conversa-aberta]')
const bubble = (texto: string): Locator => open().getByRole('listitem').filter({ hasText: texto }).first()

test('the owner scans the code on her screen, and the bot connects', async () => {
  await page.goto(`${product.url}/dashboard?aba=geral`)
  await page.getByRole('button', { name: 'Iniciar bot' }).first().click()
  const code = page.getByRole('img', { name: 'QR Code' })
  await code.waitFor()
  await expect.poll(() => page.getByRole('timer').textContent()).toMatch(/Novo código em \d+ s/)
  await celular.scan(await readQrCode(code))
  await expect.poll(() => page.getByText(`Conectado como ${EU.nome}`).isVisible()).toBe(true)
  await expect.poll(() => code.count()).toBe(0)
})

test('a customer gets a greeting and the answer of a menu option', async () => {
  await marina.say(celular, 'oi')
  const [saudacao, menu] = [await marina.nth(1), await marina.nth(2)]
  expect(saudacao.text).toContain('Marina')
  expect(menu.text).toMatch(/\*?2\*?.*atendente/is)
  await marina.say(celular, '4')
  expect((await marina.nth(3)).text).toMatch(/hor[áa]rio|8h/i)
})

test('a customer asks for a person, and the owner takes the conversa', async () => {
  await marina.say(celular, '2')
  await page.goto(`${product.url}/dashboard?aba=atendimento`)
  await card().click()
  await open().getByRole('button', { name: 'Assumir' }).click()
  await open()
    .getByText(/^Em atendimento com/)
    .waitFor()
})

test('the owner answers, and the ticks of the phone appear in the panel', async () => {
  const before = marina.received.length
  await page.getByPlaceholder(/Escreva/).fill('Oi, Marina! Como posso ajudar?')
  await page.getByPlaceholder(/Escreva/).press('Enter')
  const reply = await marina.nth(before + 1)
  expect(reply.text).toContain('Oi, Marina! Como posso ajudar?')
  await bubble('Como posso ajudar?').getByTitle('Entregue').waitFor()
  marina.markRead(celular, reply.id)
  await bubble('Como posso ajudar?').getByTitle('Lida').waitFor()
  const request = await marina.say(celular, 'Um bolo de fubá, por favor')
  await bubble('Um bolo de fubá, por favor').waitFor()

  await marina.edit(celular, request, 'Dois bolos de fubá, por favor')
  await bubble('Dois bolos de fubá, por favor').getByText('editada').waitFor()
  await bubble('Dois bolos de fubá').getByText('Um bolo de fubá, por favor').waitFor()
  await marina.react(celular, reply.id, '👍')
  await bubble('Como posso ajudar?').getByText('👍').waitFor()
  await marina.quote(celular, 'Como posso ajudar?', 'Com isso mesmo')
  await bubble('Com isso mesmo').getByText('Como posso ajudar?').waitFor()
})

test('the owner finishes the conversa, and the customer rates it', async () => {
  await open().getByRole('button', { name: 'Finalizar' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Finalizar', exact: true }).click()
  await expect.poll(() => card().count()).toBe(0)
  await expect.poll(() => marina.received.at(-1)?.text).toMatch(/de \*0\* a \*5\*/)
  await marina.say(celular, '5')
  await expect.poll(async () => at(await api.get('/atendimento/avaliacoes'), 'notaMedia')).toBe(5)
  expect(new Set(marina.received.map(({ id }) => id)).size).toBe(marina.received.length)
  expect(marina.unreadable).toEqual([])
})

test('the owner connects by a code typed on the phone', async () => {
  await api.post('/bot/limpar-sessao')
  await page.goto(`${product.url}/dashboard?aba=geral`)
  await page.getByRole('button', { name: 'Iniciar bot' }).first().click()
  await page.getByText('Conectar com o número do celular').click()
  await page.getByLabel('Número do WhatsApp da empresa').fill('11 99000-0001')
  await page.getByRole('button', { name: 'Gerar código' }).click()
  const code = await page.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent()
  await celular.typeCode(code?.replace('-', '') ?? '')
  await expect.poll(() => page.getByText(`Conectado como ${EU.nome}`).isVisible()).toBe(true)
})
