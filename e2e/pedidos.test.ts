import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient } from './api.ts'
import { logIn, openBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { at, prepareContaWithBot } from './ready-conta.ts'

/** An operador serves the orders of a shop. The tests build on each other. */

const BRUNO = { nome: 'Bruno Lima', email: 'bruno@aurora.com.br', senha: 'forno-a-lenha-1', setores: [] }
const BIA = { nome: 'Bia Nunes', telefone: '5511988887777' }

let product: Product
let browser: Browser
let api: ApiClient
let page: Page

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const [owner] = (await prepareContaWithBot(product, { menu: { digitando: false } })).apis
  if (owner === undefined) throw new Error('login missing')
  api = owner
  const config = at(await api.get('/config'), 'config')
  await api.put('/config', { ...Object(config), loja: { ...Object(at(config, 'loja')), pedidos: true } })
  await api.post('/produtos', { nome: 'Coxinha', descricao: 'De frango', preco: 9 })
  await api.post('/conta/operadores', BRUNO)
  page = await browser.newPage({ locale: 'pt-BR', viewport: { width: 1366, height: 768 }, serviceWorkers: 'block' })
  await logIn(page, product.url, BRUNO)
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

async function says(...texts: readonly string[]): Promise<void> {
  for (const texto of texts) await api.post('/simulador/mensagens', { ...BIA, texto })
}

async function received(): Promise<string> {
  const mensagens = at(await api.get(`/simulador/mensagens?telefone=${BIA.telefone}`), 'mensagens')
  return Array.isArray(mensagens) ? mensagens.map((one) => String(at(one, 'texto'))).join('\n') : ''
}

const column = (name: string) => page.getByRole('region', { name, exact: true })

test('an operador is notified of an order, finds it on the board and prepares it', async () => {
  await page.getByText(/^Ninguém esperando/).waitFor()
  await page.getByRole('banner').getByText('Online', { exact: true }).waitFor()
  await says('oi', '3', '2 coxinhas', 'fechar', 'dinheiro', 'não', 'confirmar')
  const notices = page.getByRole('region', { name: 'Avisos' })
  await notices.getByText('Novo pedido nº 1').waitFor()
  await notices.getByRole('button', { name: 'Abrir' }).click()
  await column('Novo').getByText('2x Coxinha').waitFor()
  expect(new URL(page.url()).searchParams.get('aba')).toBe('pedidos')
  await page.getByRole('button', { name: 'Preparar pedido nº 1' }).click()
  await column('Em preparo').getByText('2x Coxinha').waitFor()
  await expect.poll(received).toContain('Seu pedido nº 1 está em preparo.')
})

test('the operador sees the order in the chat, and writes another one for the customer', async () => {
  await says('atendente')
  await page
    .getByRole('navigation', { name: 'Seções do painel' })
    .getByRole('link', { name: /^Atendimento/ })
    .click()
  await page
    .getByRole('list', { name: 'Conversas' })
    .getByRole('link', { name: /Bia Nunes/ })
    .click()
  const chat = page.getByRole('log', { name: 'Mensagens' })
  await chat.getByRole('button', { name: 'Pedido nº 1', exact: true }).waitFor()
  await chat.getByText('Em preparo', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Mais ações' }).click()
  await page.getByRole('menuitem', { name: 'Novo pedido' }).click()
  const dialog = page.getByRole('dialog')
  await dialog
    .getByRole('list', { name: 'Produtos' })
    .getByRole('button', { name: /Coxinha/ })
    .click()
  await dialog.getByText('Total R$ 9,00', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Criar pedido' }).click()
  await dialog.waitFor({ state: 'detached' })
  await chat.getByRole('button', { name: 'Pedido nº 2', exact: true }).waitFor()
  await expect.poll(received).toContain('Pedido nº 2 recebido!')
  expect(await page.getByText('Novo pedido nº 2').count()).toBe(0)
})
