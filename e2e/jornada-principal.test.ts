import { type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForNotice, recordNotices } from './notices.ts'
import { logIn, openBrowser } from './browser.ts'
import { createHand } from './hand.ts'
import { ADMIN, type Product, startProduct } from './product.ts'

/**
 * An owner signs up, connects her bot and serves a customer, and the program is killed. The tests build on each
 * other.
 */

const DONA = {
  nome: 'Ana Ribeiro',
  email: 'ana@aurora.com.br',
  telefone: '11987654321',
  empresa: 'Padaria Aurora',
  senha: 'pao-quentinho',
}

let product: Product
let browser: Browser
let contexto: BrowserContext
let page: Page
/** The acts of the owner and the administrator, up to the first served customer. */
const hand = createHand()

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  contexto = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  await recordNotices(contexto)
  page = await contexto.newPage()
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

test('a visitor finds the landing page and signs up', async () => {
  await page.goto(product.url)
  await hand.click(page.getByRole('link', { name: 'Criar conta' }).first())
  await page.getByLabel('Nome').fill(DONA.nome)
  await page.getByLabel('E-mail').fill(DONA.email)
  await page.getByLabel('Telefone').fill(DONA.telefone)
  await page.getByLabel('Empresa').fill(DONA.empresa)
  await page.getByLabel('Senha', { exact: true }).fill(DONA.senha)
  await page.getByLabel('Confirmar senha').fill(DONA.senha)
  await hand.click(page.getByRole('checkbox'))
  await hand.click(page.getByRole('button', { name: 'Criar conta' }))
  await page.waitForURL('**/login*')
  await expect.poll(() => page.getByText('Aguarde aprovação do administrador.').first().isVisible()).toBe(true)
})

test('the owner is refused before her approval', async () => {
  await logIn(page, product.url, DONA)
  await expect
    .poll(() => page.getByText('Sua conta aguarda aprovação do administrador.').first().isVisible())
    .toBe(true)
})

test('the administrator approves the owner', async () => {
  const admin = await (await browser.newContext({ locale: 'pt-BR' })).newPage()
  await logIn(admin, product.url, ADMIN, hand)
  await admin.waitForURL('**/admin*')
  await admin.goto(`${product.url}/admin?aba=usuarios`)
  const line = admin.getByRole('row', { name: /Ana Ribeiro/ })
  // The panel updates before the server answers, so the test also waits for the answer.
  const ativada = admin.waitForResponse((reply) => reply.url().endsWith('/status') && reply.ok())
  await hand.click(line.getByRole('button', { name: /Ativar/ }))
  await ativada
  await expect.poll(() => line.getByText('Ativo', { exact: true }).isVisible()).toBe(true)
  await admin.context().close()
})

test('the owner enters and reaches the dashboard', async () => {
  await logIn(page, product.url, DONA, hand)
  await page.waitForURL('**/dashboard*')
  await expect.poll(() => page.getByText('GRATUITO').first().isVisible()).toBe(true)
})

test('the owner sets the Client ID and starts the bot', async () => {
  await page.goto(`${product.url}/dashboard?aba=geral`)
  const iniciar = page.getByRole('button', { name: /Iniciar bot/i }).first()
  await expect.poll(() => page.getByLabel('Client ID').inputValue()).toBe('padaria-aurora')
  await page.getByLabel('Client ID').fill('padaria-centro')
  await hand.click(page.getByRole('button', { name: 'Salvar' }).first())
  await waitForNotice(page, 'Configurações salvas com sucesso!')
  await expect.poll(() => iniciar.isEnabled()).toBe(true)
  await hand.click(iniciar)
  await expect.poll(() => page.getByRole('button', { name: 'Conectar o simulador' }).isVisible()).toBe(true)
})

test('the simulated phone connects the bot', async () => {
  const celular = await contexto.newPage()
  await celular.goto(`${product.url}/simulador`)
  await hand.click(celular.getByRole('button', { name: 'Escanear QR Code' }))
  await expect.poll(() => page.getByText('Conectado', { exact: true }).first().isVisible()).toBe(true)
  await celular.close()
})

async function openChat(telefone: string, nome: string): Promise<Page> {
  const celular = await contexto.newPage()
  await celular.goto(`${product.url}/simulador`)
  await celular.getByLabel('Nome do cliente').fill(nome)
  await celular.getByLabel('Telefone do cliente').fill(telefone)
  return celular
}

async function write(celular: Page, text: string): Promise<void> {
  await celular.getByLabel('Mensagem').fill(text)
  await hand.press(celular.getByLabel('Mensagem'), 'Enter')
}

async function seesText(celular: Page, text: RegExp): Promise<void> {
  await expect.poll(() => celular.getByText(text).last().isVisible()).toBe(true)
}

test('a customer gets greeting and menu, and every option answers', async () => {
  const celular = await openChat('11 91234-5678', 'Marina')
  await write(celular, 'oi')
  await seesText(celular, /Ol[áa]/)
  // Each page that the test opens by its address would be one more click.
  expect(hand.acts() + 4).toBeLessThanOrEqual(20)
  await seesText(celular, /Escolha|opç/i)
  await write(celular, '4')
  await seesText(celular, /8h|hor[áa]rio/i)
  await write(celular, '9')
  await seesText(celular, /inv[áa]lida/i)
  await write(celular, '3')
  await seesText(celular, /produto|cat[áa]logo/i)
  await write(celular, '0')
  await write(celular, '2')
  await seesText(celular, /atendente/i)
  await celular.close()
})

test('the owner edits the menu, and the next customer reads the new text', async () => {
  await page.goto(`${product.url}/dashboard?aba=mensagens`)
  await page.getByRole('button', { name: 'Editar' }).first().click()
  await page.getByRole('textbox', { name: 'Texto do menu' }).fill('Bem-vindo à Padaria Aurora! Escolha uma opção:')
  await page.getByRole('button', { name: 'Salvar' }).first().click()
  await expect.poll(() => page.getByRole('button', { name: 'Editar' }).first().isVisible()).toBe(true)
  const celular = await openChat('21 99876-5432', 'João')
  await write(celular, 'bom dia')
  await seesText(celular, /Bem-vindo à Padaria Aurora!/)
  await celular.close()
})

test('owner and customer continue after a kill of the program', async () => {
  await product.kill()
  await product.start()
  const celular = await openChat('21 99876-5432', 'João')
  await seesText(celular, /Bem-vindo à Padaria Aurora!/)
  await page.goto(`${product.url}/dashboard?aba=geral`)
  await expect.poll(() => page.getByText('Conectado', { exact: true }).first().isVisible()).toBe(true)
  await write(celular, 'menu')
  await expect.poll(() => celular.getByText(/Bem-vindo à Padaria Aurora!/).count()).toBeGreaterThanOrEqual(2)
  await celular.close()
})
