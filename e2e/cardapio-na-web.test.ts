import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './accessible.ts'
import type { ApiClient } from './api.ts'
import { openBrowser } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { at, prepareContaWithBot, until } from './ready-conta.ts'

/** A customer orders on the page of the shop and confirms in the chat. */

let product: Product
let browser: Browser
let context: BrowserContext
let page: Page
let api: ApiClient
const violations: string[] = []
const TELEFONE = '5511955550001'

const ALWAYS = [{ inicio: '00:00', fim: '24:00' }]
const DIAS = { seg: ALWAYS, ter: ALWAYS, qua: ALWAYS, qui: ALWAYS, sex: ALWAYS, sab: ALWAYS, dom: ALWAYS }

async function saveLoja(fields: object): Promise<void> {
  const config = Object(at(await api.get('/config'), 'config'))
  const atendimento = { ...config.atendimento, horario: { ...config.atendimento.horario, excecoes: [], dias: DIAS } }
  await api.put('/config', { ...config, atendimento, loja: { ...config.loja, ...fields } })
}

const says = (texto: string) => api.post('/simulador/mensagens', { telefone: TELEFONE, nome: 'Bia', texto })

async function lastAnswer(): Promise<string> {
  const chat = at(await api.get(`/simulador/mensagens?telefone=${TELEFONE}`), 'mensagens')
  const last: unknown = Array.isArray(chat) ? chat.at(-1) : undefined
  return at(last, 'de') === 'cliente' ? '' : String(at(last, 'texto'))
}

beforeAll(async () => {
  product = await startProduct()
  browser = await openBrowser()
  const { apis } = await prepareContaWithBot(product, { menu: { digitando: false } })
  const [first] = apis
  if (first === undefined) throw new Error('login missing')
  api = first
  await saveLoja({
    ...{ pedidos: true, retirada: true, pagamentos: ['dinheiro', 'cartao'] },
    entrega: {
      ...{ ativa: true, minimoCentavos: 0, gratisAcimaCentavos: null },
      taxas: [{ bairro: 'Centro', centavos: 700 }],
    },
    pagina: { ativa: true, endereco: 'aurora', descricao: 'Pão quente o dia todo.', indexar: true },
  })
  const grupos = [
    {
      ...{ id: 'sabor', nome: 'Sabor', minimo: 1, maximo: 2, preco: 'maior' },
      opcoes: [
        { id: 'cal', nome: 'Calabresa', acrescimoCentavos: 500, ativa: true },
        { id: 'mus', nome: 'Muçarela', acrescimoCentavos: 0, ativa: true },
      ],
    },
  ]
  for (const produto of [
    { nome: 'Coxinha', preco: 6, categoria: 'Salgados' },
    { nome: 'Café', preco: 7.5, categoria: 'Bebidas' },
    { nome: 'Pizza', preco: 40, categoria: 'Pizzas', grupos },
  ])
    await api.post('/produtos', { descricao: 'Da casa.', ...produto })
  context = await browser.newContext({ locale: 'pt-BR', hasTouch: true, viewport: { width: 360, height: 700 } })
  page = await context.newPage()
  page.on('console', (line) => {
    if (/content security policy|trusted ?(html|script|type)/i.test(line.text())) violations.push(line.text())
  })
})

afterAll(async () => {
  await browser?.close()
  await product?.destroy()
})

const named = (name: string | RegExp): Locator => page.getByRole('button', { name })

test('a customer sends two items in six touches and confirms them in the chat', async () => {
  await page.goto(`${product.url}/m/aurora`)
  await page.getByRole('heading', { name: 'Padaria Aurora' }).waitFor()
  expect(await page.title()).toBe('Cardápio de Padaria Aurora')
  const touches = [
    named('Adicionar Coxinha'),
    named('Adicionar Café'),
    named('Ver pedido · 2 itens · R$ 13,50'),
    page.getByLabel('Retirar na loja'),
    page.getByLabel('Cartão'),
    named('Enviar pedido'),
  ]
  for (const touch of touches) await touch.tap()
  const codigo = page.locator('.codigo')
  await codigo.waitFor()
  const text = `Pedido do cardápio: ${await codigo.textContent()}`
  await says(text)
  await until(async () => (await lastAnswer()).includes('Total: R$ 13,50'))
  await says('confirmar')
  await until(async () => (await lastAnswer()).includes('recebido'))
  const pedidos = at(await api.get(`/pedidos?busca=${TELEFONE}`), 'pedidos')
  expect(pedidos).toMatchObject([{ totalCentavos: 1_350, cliente: 'Bia', entrega: { tipo: 'retirada' } }])
  expect(violations).toEqual([])
})

test('a customer chooses options, gets the fee of the address and keeps the order over a reload', async () => {
  await page.reload()
  await named('Escolher Pizza').tap()
  await named(/^Adicionar ·|^Adicionar$/).tap()
  await page.getByText('Sabor: escolha de 1 a 2.').waitFor()
  await page.getByLabel(/Calabresa/).tap()
  await page.getByLabel('Muçarela').tap()
  await expectAccessible(page, 'options')
  await named('Adicionar · R$ 45,00').tap()
  await page.reload()
  await named('Ver pedido · 1 item · R$ 45,00').tap()
  await page.getByLabel('Entrega', { exact: true }).tap()
  await page.getByLabel('Endereço, com número').fill('Rua A, 10')
  await page.getByLabel('Bairro').fill('Lua')
  await page.getByText('A loja não entrega neste endereço.').waitFor()
  await page.getByLabel('Bairro').fill('centro')
  await page.getByText('R$ 52,00').waitFor()
  await expectAccessible(page, 'order')
  await page.keyboard.press('Escape')
  await named(/^Ver pedido/).waitFor()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page, `menu, ${colorScheme}`)
  }
})

test('a changed price is shown at the item, and the next send counts it', async () => {
  const list = at(await api.get('/produtos'), 'produtos')
  const pizza: unknown = Array.isArray(list) ? list.find((one) => at(one, 'nome') === 'Pizza') : undefined
  await api.put(`/produtos/${String(at(pizza, 'id'))}`, { preco: 50 })
  await named(/^Ver pedido/).tap()
  await page.getByLabel('Dinheiro').tap()
  await named('Enviar pedido').tap()
  await page.getByText('O preço mudou para R$ 55,00.').waitFor()
  await page.getByText('R$ 62,00').waitFor()
  await context.setOffline(true)
  await named('Enviar pedido').tap()
  await page.getByText(/Sem conexão. Seu pedido está guardado/).waitFor()
  await context.setOffline(false)
  await named('Enviar pedido').tap()
  await page.locator('.codigo').waitFor()
})

test('a page that is off says so, and a shop without orders leads to the chat', async () => {
  await saveLoja({ pedidos: false })
  await page.reload()
  await page.getByText('Os pedidos são feitos pela conversa.').waitFor()
  expect(await named(/^Adicionar/).count()).toBe(0)
  await saveLoja({ pagina: { ativa: false, endereco: 'aurora', descricao: '', indexar: true } })
  expect((await page.goto(`${product.url}/m/aurora`))?.status()).toBe(404)
  await page.getByRole('heading', { name: 'Cardápio não encontrado' }).waitFor()
  await expectAccessible(page, 'missing')
})
