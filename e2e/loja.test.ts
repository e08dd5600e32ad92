import type { Buffer } from 'node:buffer'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForNotice, recordNotices } from './notices.ts'
import { openBrowser, drawPicture, openLoggedIn } from './browser.ts'
import { prepareContaWithBot, DONA } from './ready-conta.ts'
import { type Product, startProduct } from './product.ts'

/** Produtos from the owner's form to the customer's phone. The tests build on each other. */

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let celular: Page
let conversa: Locator

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  await prepareContaWithBot(product, { menu: { digitando: false } })
  context = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  await recordNotices(context)
  page = await openLoggedIn(context, product.url, DONA)
  await page.goto(`${product.url}/dashboard?aba=loja`)
  // A window for each person: Chromium draws a tab in the background once a second, and each click waits for two frames.
  const phone = await browser.newContext({ locale: 'pt-BR', viewport: { width: 1366, height: 800 } })
  celular = await openLoggedIn(phone, product.url, DONA)
  await celular.goto(`${product.url}/simulador`)
  conversa = celular.getByRole('log')
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

interface Escrito {
  readonly nome: string
  readonly descricao: string
  readonly preco: string
  readonly foto?: Buffer
}

async function cadastra({ nome, descricao, preco, foto }: Escrito): Promise<void> {
  const form = page.getByRole('dialog')
  await form.getByLabel('Nome', { exact: true }).fill(nome)
  await form.getByLabel('Descrição').fill(descricao)
  await form.getByLabel('Preço').fill(preco)
  if (foto !== undefined)
    await form.getByLabel('Imagem').setInputFiles({ name: 'bolo.jpg', mimeType: 'image/jpeg', buffer: foto })
  await form.getByText(`💰 R$ ${preco}`).waitFor()
  await form.getByRole('button', { name: 'Criar produto' }).click()
  await form.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: `Editar ${nome}` }).waitFor()
}

async function escreve(text: string): Promise<void> {
  await celular.getByLabel('Mensagem', { exact: true }).fill(text)
  await celular.getByLabel('Mensagem', { exact: true }).press('Enter')
}

async function leLista(): Promise<string> {
  const listas = conversa.locator('p').filter({ hasText: 'Responda com o número do produto' })
  return (await listas.count()) === 0 ? '' : ((await listas.last().textContent()) ?? '')
}

const names = (em: Page): Promise<string[]> => em.getByRole('listitem').locator('h3').allTextContents()
const chamado = (nome: string): string => `Editar ${nome}`

test('the owner adds produtos with a picture', async () => {
  await page.getByRole('button', { name: 'Cadastrar produto' }).click()
  await cadastra({
    nome: 'Bolo de fubá',
    descricao: 'Cremoso.',
    preco: '32,50',
    foto: await drawPicture(page, 1200, 800),
  })
  for (const [nome, preco] of [
    ['Pão de queijo', '18,00'],
    ['Café coado', '7,50'],
  ] as const) {
    await page.getByRole('button', { name: 'Novo produto' }).click()
    await cadastra({ nome, descricao: 'Da casa.', preco })
  }
  await page.getByText('Opção 3 do menu').waitFor()
  const foto = page.getByRole('listitem').filter({ hasText: 'Bolo de fubá' }).locator('img')
  await expect.poll(() => foto.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth > 0)).toBe(true)
})

test('the customer reads the list and opens a produto', async () => {
  await escreve('oi')
  await conversa
    .getByText(/Escolha|opç/i)
    .last()
    .waitFor()
  await escreve('3')
  await expect
    .poll(leLista)
    .toContain('1 - Bolo de fubá · R$ 32,50\n2 - Pão de queijo · R$ 18,00\n3 - Café coado · R$ 7,50')
  await escreve('1')
  await conversa.getByText('💰 R$ 32,50').waitFor()
  const foto = conversa.getByRole('img', { name: 'Imagem recebida' })
  await expect.poll(() => foto.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth > 0)).toBe(true)
})

test('the customer picks a produto that was switched off and reads that it is unavailable', async () => {
  await page.getByRole('switch', { name: /Bolo de fubá/ }).click()
  await waitForNotice(page, 'Produto desativado com sucesso!')
  await escreve('1')
  await conversa.getByText(/Bolo de fubá não está disponível/).waitFor()
  await expect.poll(leLista).toContain('1 - Bolo de fubá · (indisponível)\n2 - Pão de queijo · R$ 18,00')
})

test('the owner reorders produtos by mouse and touch, and the next customer reads the order', async () => {
  const alca = (em: Page, nome: string): Locator =>
    em.getByRole('listitem').filter({ hasText: nome }).locator('[data-alca]')
  await alca(page, 'Café coado').dragTo(alca(page, 'Bolo de fubá'))
  await expect.poll(() => names(page)).toEqual(['Café coado', 'Bolo de fubá', 'Pão de queijo'].map(chamado))

  const tablet = await browser.newContext({
    locale: 'pt-BR',
    storageState: await context.storageState(),
    hasTouch: true,
    // The viewport is tall enough that the bottom bar covers no produto.
    viewport: { width: 700, height: 1500 },
  })
  const dedo = await tablet.newPage()
  const cdp = await tablet.newCDPSession(dedo)
  await dedo.goto(`${product.url}/dashboard?aba=loja`)
  await dedo.getByText('Opção 3 do menu').waitFor()
  const middle = async (nome: string): Promise<{ x: number; y: number }> => {
    const box = await alca(dedo, nome).boundingBox()
    return { x: (box?.x ?? 0) + 20, y: (box?.y ?? 0) + 20 }
  }
  const [de, para] = [await middle('Pão de queijo'), await middle('Café coado')]
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [de] })
  for (const part of [0.25, 0.5, 0.75, 1]) {
    const point = { x: de.x + (para.x - de.x) * part, y: de.y + (para.y - de.y) * part }
    await cdp.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [point] })
  }
  await cdp.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  const order = ['Pão de queijo', 'Café coado', 'Bolo de fubá'].map(chamado)
  await expect.poll(() => names(dedo)).toEqual(order)
  await dedo.getByText('Pão de queijo movido para a posição 1 de 3').first().waitFor({ state: 'attached' })
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByRole('listitem').locator('h3').first().waitFor()
      return names(page)
    })
    .toEqual(order)
  await escreve('0')
  await escreve('3')
  await expect.poll(leLista).toContain('1 - Pão de queijo · R$ 18,00\n2 - Café coado · R$ 7,50\n\n')
})

test('the owner starts from a sample, and the customer orders from it', async () => {
  await page.getByRole('navigation', { name: 'Partes da loja' }).getByRole('link', { name: 'Ajustes' }).click()
  await page.getByRole('button', { name: 'Começar de um exemplo' }).click()
  await page.getByRole('radio', { name: /^Pizzaria/ }).check()
  await page.getByRole('button', { name: 'Usar este exemplo' }).click()
  await page.getByRole('button', { name: 'Juntar' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const answers = [
    ['0', /Escolha uma opção/],
    ['3', /Pizza grande/],
    ['quero uma pizza grande metade calabresa metade portuguesa com borda de cheddar', /Subtotal: R\$ 64,90/],
    ['fechar', /Como prefere receber/],
    ['entrega', /Qual é o endereço/],
    ['Rua das Flores, 10, Centro', /Como prefere pagar/],
    ['cartão', /Total: R\$ 70,90/],
    ['confirmar', /Pedido nº 1 recebido/],
  ] as const
  for (const [text, answer] of answers) {
    await escreve(text)
    await conversa.getByText(answer).last().waitFor()
  }
})
