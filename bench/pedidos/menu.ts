import { randomUUID } from 'node:crypto'
import { type ApiClient, createApiClient } from '@balcao/e2e/api.ts'
import { type Product, startProduct } from '@balcao/e2e/product.ts'
import { at, prepareContaWithBot } from '@balcao/e2e/ready-conta.ts'
import { openFloodLine } from '../defesa/flood.ts'
import { pause } from '../messages/meters.ts'
import { atLeast, figure, type Section } from '../report.ts'

export const MENU_ADDRESS = 'aurora'
const PRODUTOS = 200
const CATEGORIES = ['Salgados', 'Doces', 'Bebidas', 'Pizzas']
const READS = 10_000
const READS_GOAL = 2_000
const CARTS = 4_000
const CARTS_GOAL = 500
const WARM_UP = 1_000
const LINES = 20
const IN_FLIGHT = 5
const PRICE = 12.5

const ALWAYS = [{ inicio: '00:00', fim: '24:00' }]
const DIAS = { seg: ALWAYS, ter: ALWAYS, qua: ALWAYS, qui: ALWAYS, sex: ALWAYS, sab: ALWAYS, dom: ALWAYS }

/** Opens the page of a shop that takes orders at any hour, and creates its produtos. Returns their ids. */
export async function openMenu(api: ApiClient, count = PRODUTOS): Promise<string[]> {
  const config = Object(at(await api.get('/config'), 'config'))
  await api.put('/config', {
    ...config,
    atendimento: { ...config.atendimento, horario: { ...config.atendimento.horario, excecoes: [], dias: DIAS } },
    loja: {
      ...config.loja,
      ...{ pedidos: true, retirada: true, pagamentos: ['dinheiro'] },
      pagina: { ativa: true, endereco: MENU_ADDRESS, descricao: 'Pão quente o dia todo.', indexar: true },
    },
  })
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const created = await api.post('/produtos', {
      ...{ nome: `Produto ${n + 1}`, descricao: 'Feito na hora, com ingredientes da região.', preco: PRICE },
      categoria: CATEGORIES[n % CATEGORIES.length],
    })
    ids.push(String(at(created, 'produto', 'id')))
    // A login may ask 100 times a second.
    await pause(12)
  }
  return ids
}

let addresses = 0

/** Each request has another address, because carts and requests of one are limited. */
function requestOf(method: 'GET' | 'POST', path: string, body = ''): string {
  const n = (addresses += 1)
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  const headers = ['host: x', 'accept-encoding: gzip', `x-forwarded-for: ${address}`]
  if (body !== '') headers.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`)
  return `${method} ${path} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n${body}`
}

interface Load {
  readonly url: string
  readonly count: number
  readonly status: string
  readonly next: () => string
}

/** Answers in a second. Throws on another status. */
async function answersPerSecond({ url, count, status, next }: Load): Promise<number> {
  const start = performance.now()
  await new Promise<void>((resolve, reject) => {
    let asked = 0
    let answered = 0
    const onAnswer = (answer: string): void => {
      if (answer !== status) reject(new Error(`answer ${answer} instead of ${status}`))
      answered += 1
      if (answered === count) resolve()
    }
    const nextOrNone = (): string | null => {
      asked += 1
      return asked > count ? null : next()
    }
    for (let line = 0; line < LINES; line += 1) {
      openFloodLine({ url, localAddress: '127.0.0.1', inFlight: IN_FLIGHT, next: nextOrNone, onAnswer })
    }
  })
  return count / ((performance.now() - start) / 1_000)
}

async function measureAt({ url }: Product, ids: readonly string[]): Promise<Section> {
  const path = `/api/publico/lojas/${MENU_ADDRESS}`
  const reads = { url, status: '200', next: () => requestOf('GET', path) }
  let n = 0
  const cart = (): string => {
    const itens = [0, 1, 2].map((item) => ({
      ...{ produtoId: ids[(n + item * 7) % ids.length], quantidade: 1 + item, precoCentavos: PRICE * 100 },
    }))
    n += 1
    const rest = { entrega: { tipo: 'retirada' }, pagamento: { forma: 'dinheiro' } }
    return requestOf('POST', `${path}/carrinhos`, JSON.stringify({ id: randomUUID(), itens, ...rest }))
  }
  const carts = { url, status: '201', next: cart }
  await answersPerSecond({ ...reads, count: WARM_UP })
  const readRate = await answersPerSecond({ ...reads, count: READS })
  await answersPerSecond({ ...carts, count: WARM_UP })
  const cartRate = await answersPerSecond({ ...carts, count: CARTS })
  return {
    title: `Orders: the menu on the web with ${PRODUTOS} produtos`,
    lines: [
      atLeast('menus read in a second', Math.round(readRate), READS_GOAL, ''),
      atLeast('carts stored in a second', Math.round(cartRate), CARTS_GOAL, ''),
    ],
    notes: [
      `${figure(READS)} reads with gzip and ${figure(CARTS)} carts of 3 items, ${LINES * IN_FLIGHT} in flight, each request from another address. The load runs on the same machine.`,
    ],
  }
}

export async function measureMenu(): Promise<Section> {
  const product = await startProduct({ LOG_LEVEL: 'error', REQUISICOES_POR_CONTA: '100000', TRUST_PROXY: '1' })
  try {
    const { tokens } = await prepareContaWithBot(product, { menu: { digitando: false } })
    const ids = await openMenu(createApiClient(product.url, tokens[0], 'aberta'))
    return await measureAt(product, ids)
  } finally {
    await product.destroy()
  }
}
