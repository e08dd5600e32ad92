import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiClient } from './api.ts'
import { openBrowser, openLoggedIn } from './browser.ts'
import { type Product, startProduct } from './product.ts'
import { at, DONA, prepareContaWithBot, until } from './ready-conta.ts'
import { readWords, type Watch, watchPage } from './watch.ts'

/**
 * A Saturday night at a pizzeria: a kitchen, a counter and the owner's phone look at the board while customers order in
 * the chat and on the page. `SABADO_CLIENTES=40` plays a whole night.
 */

const CUSTOMERS = Number(process.env['SABADO_CLIENTES'] ?? 15)
const REPEAT_MS = 300
const CARLA = { nome: 'Carla Souza', email: 'carla@aurora.com.br', senha: 'forno-a-lenha-2', setores: ['vendas'] }
const ENDERECO = 'pizzaria-aurora'
const FEE = 700
/** Prices in cents. */
const PIZZA = 4_000
const PORTUGUESA = 800
const SODA = 1_200

const opcao = (nome: string, acrescimoCentavos = 0): object => ({ id: nome, nome, acrescimoCentavos, ativa: true })
const SABORES = {
  ...{ id: 'sabores', nome: 'Sabores', minimo: 1, maximo: 2, preco: 'maior' },
  opcoes: [opcao('Calabresa'), opcao('Portuguesa', PORTUGUESA), opcao('Muçarela')],
}

interface Customer {
  readonly nome: string
  readonly telefone: string
  /** The sum of the order in cents, counted by hand. */
  readonly total: number
  readonly texts: readonly string[]
  /** Orders on the page and sends its code. */
  readonly onPage: boolean
}

const TO_SHOP = ['oi', '3']
const PICK_UP = ['fechar', 'retirar', 'cartão', 'confirmar']
const DELIVERY = ['fechar', 'entrega', 'Rua das Flores, 10, Centro', 'cartão', 'confirmar']

const customers = Array.from({ length: CUSTOMERS }, (_, index): Customer => {
  const number = String(index + 1).padStart(3, '0')
  const person = { nome: `Cliente ${number}`, telefone: `+5511955500${number}` }
  switch (index % 3) {
    case 0: {
      const texts = [...TO_SHOP, 'quero uma pizza grande metade calabresa metade portuguesa e 2 guaranás', ...PICK_UP]
      return { ...person, texts, total: PIZZA + PORTUGUESA + 2 * SODA, onPage: false }
    }
    case 1: {
      const texts = [...TO_SHOP, 'me vê duas pizzas grandes de calabresa', ...DELIVERY]
      return { ...person, texts, total: 2 * PIZZA + FEE, onPage: false }
    }
    default:
      return { ...person, texts: ['confirmar'], total: 3 * SODA, onPage: true }
  }
})

let product: Product
let api: ApiClient
let pages: { readonly kitchen: Page; readonly counter: Page; readonly owner: Page }
let soda = ''
let browsers: readonly Browser[] = []
const watch: Watch = { errors: [], words: new Set(), owners: new Map() }

async function openBoard(login: { email: string; senha: string }, size: BrowserContextOptions, path: string) {
  const browser = await openBrowser()
  browsers = [...browsers, browser]
  const context = await browser.newContext({ locale: 'pt-BR', serviceWorkers: 'block', ...size })
  context.on('page', (page) => watchPage(page, watch))
  const page = await openLoggedIn(context, product.url, login)
  await page.goto(`${product.url}${path}`)
  await page.getByRole('searchbox', { name: 'Buscar pedidos' }).waitFor()
  return page
}

async function prepareShop(): Promise<void> {
  const [client] = (await prepareContaWithBot(product, { menu: { digitando: false } })).apis
  if (client === undefined) throw new Error('login missing')
  api = client
  await api.post('/conta/operadores', CARLA)
  const config = Object(at(await api.get('/config'), 'config'))
  await api.put('/config', {
    ...config,
    loja: {
      ...config.loja,
      ...{ pedidos: true, retirada: true, pedirFechado: true, pagamentos: ['dinheiro', 'cartao'] },
      entrega: {
        ...{ ativa: true, minimoCentavos: 0, gratisAcimaCentavos: null },
        taxas: [{ bairro: 'Centro', centavos: FEE }],
      },
      pagina: { ativa: true, endereco: ENDERECO, descricao: 'Forno a lenha', indexar: false },
    },
  })
  await api.post('/produtos', { nome: 'Pizza grande', descricao: 'Oito pedaços', preco: 40, grupos: [SABORES] })
  const made = await api.post('/produtos', { nome: 'Guaraná', descricao: 'Dois litros', preco: 12, estoque: 1_000 })
  soda = String(at(made, 'produto', 'id'))
}

beforeAll(async () => {
  product = await startProduct()
  await prepareShop()
  const owner = '/dashboard?aba=loja&lista=pedidos'
  pages = {
    kitchen: await openBoard(DONA, { viewport: { width: 1366, height: 768 } }, owner),
    counter: await openBoard(CARLA, { viewport: { width: 1366, height: 768 } }, '/dashboard?aba=pedidos'),
    owner: await openBoard(DONA, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, owner),
  }
})

afterAll(async () => {
  for (const browser of browsers) await browser.close()
  await product?.destroy()
})

async function chatOf({ telefone }: Customer): Promise<readonly { de: unknown; texto: string }[]> {
  const answer = await api.get(`/simulador/mensagens?telefone=${encodeURIComponent(telefone)}`).catch(() => null)
  const mensagens = at(answer, 'mensagens')
  if (!Array.isArray(mensagens)) return []
  return mensagens.map((one: unknown) => ({ de: at(one, 'de'), texto: String(at(one, 'texto')) }))
}

/** Sends a text until it is accepted, always under one id, and waits for an answer. */
async function says(customer: Customer, texto: string, id: string): Promise<void> {
  const { nome, telefone } = customer
  const before = (await chatOf(customer)).length
  await until(async () => {
    const status = await api.status('POST', '/simulador/mensagens', { nome, telefone, texto, id }).catch(() => 0)
    return status === 202
  }, REPEAT_MS)
  await until(async () => {
    const chat = await chatOf(customer)
    return chat.length > before + 1 && chat.at(-1)?.de === 'bot'
  }, REPEAT_MS)
}

/** Puts three sodas into a cart of the page. The same cart is sent until the server answers. */
async function ordersOnPage(id: string): Promise<string> {
  let codigo = ''
  await until(async () => {
    const answer = await fetch(`${product.url}/api/publico/lojas/${ENDERECO}/carrinhos`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({
        id,
        itens: [{ produtoId: soda, quantidade: 3 }],
        entrega: { tipo: 'retirada', endereco: '', bairro: '', cep: '' },
        pagamento: { forma: 'dinheiro' },
      }),
    }).catch(() => null)
    if (answer?.status !== 201) return false
    codigo = String(at(await answer.json(), 'codigo'))
    return true
  }, REPEAT_MS)
  return codigo
}

let confirmed = 0

async function orders(customer: Customer, index: number): Promise<void> {
  const id = `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
  const first = customer.onPage ? [`Pedido do cardápio: ${await ordersOnPage(id)}`] : []
  for (const [at, texto] of [...first, ...customer.texts].entries()) {
    if (texto === 'confirmar') confirmed += 1
    await says(customer, texto, `${customer.telefone}-${at}`)
  }
}

interface Ledger {
  readonly cliente: string
  readonly total: number
  readonly status: string
}

async function ledger(): Promise<Ledger[]> {
  const pedidos = at(await api.get('/pedidos?limite=100'), 'pedidos')
  if (!Array.isArray(pedidos)) throw new Error('list of orders missing')
  return pedidos.map((one: unknown) => ({
    cliente: String(at(one, 'cliente')),
    total: Number(at(one, 'totalCentavos')),
    status: String(at(one, 'status')),
  }))
}

/** The kitchen takes one new order after the other until all orders are made and none is new. */
async function cooks(page: Page, allOrdered: () => boolean): Promise<void> {
  const step = page.locator('[data-coluna="novo"]').getByRole('button', { name: /^Preparar/ })
  const isDone = async (): Promise<boolean> => allOrdered() && (await ledger()).every(({ status }) => status !== 'novo')
  await until(async () => {
    await step
      .first()
      .click({ timeout: 1_000 })
      .catch(() => undefined)
    return (await step.count()) === 0 && (await isDone())
  })
}

test('each customer gets one order, although the product is killed in the middle of the night', async () => {
  let allOrdered = false
  const night = Promise.all(customers.map(orders)).finally(() => (allOrdered = true))
  const kitchen = cooks(pages.kitchen, () => allOrdered)
  await until(() => confirmed >= CUSTOMERS / 3, 20)
  await product.kill()
  await product.start()
  await night
  await kitchen
  const made = await ledger()
  expect(
    made.map(({ cliente, total }) => ({ cliente, total })).toSorted((a, b) => a.cliente.localeCompare(b.cliente)),
  ).toEqual(customers.map(({ nome, total }) => ({ cliente: nome, total })))
  for (const customer of customers) {
    const received = (await chatOf(customer)).filter(({ texto }) => /Pedido nº \d+ recebido/.test(texto))
    expect(received.length, customer.nome).toBe(1)
  }
})

test('kitchen, counter and owner see what the ledger says', async () => {
  const cooking = (await ledger()).filter(({ status }) => status === 'preparo').length
  expect(cooking).toBe(CUSTOMERS)
  for (const page of [pages.kitchen, pages.counter]) {
    await expect.poll(() => page.locator('[data-coluna="preparo"] [data-pedido]').count()).toBe(cooking)
    await readWords(page, watch)
  }
  await expect.poll(() => pages.owner.getByRole('button', { name: `Preparo ${cooking}` }).count()).toBe(1)
  await readWords(pages.owner, watch)
  expect([...watch.words]).toEqual([])
  // Requests during the restart fail, and browser and panel report each of them.
  expect(watch.errors.filter((line) => !/ERR_|Failed to load resource|WebSocket|ApiError/.test(line))).toEqual([])
})
