import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareContaWithBot, at, type ReadyConta, until } from './ready-conta.ts'
import { type Product, startProduct, startRefused } from './product.ts'
import { type BurstCustomer, burstCustomers, expectedChat, startBurst, readChats, BURST_MENU } from './burst.ts'

const CLIENTES = 250
const MENSAGENS = 8
const TOTAL = CLIENTES * MENSAGENS
const LOG_CHARS = 8_000

let product: Product
let loja: ReadyConta

beforeAll(async () => {
  product = await startProduct()
  loja = await prepareContaWithBot(product, { menu: BURST_MENU, logins: 5 })
})

afterAll(() => product?.destroy())

async function mensagensHoje(): Promise<unknown> {
  return at(await loja.apis[0]?.get('/usuario/estatisticas'), 'usuario', 'estatisticas', 'mensagensHoje')
}

async function conferir(clientes: readonly BurstCustomer[]): Promise<void> {
  const conversas = await readChats(loja, clientes)
  const erradas = clientes.filter(
    (cliente) => JSON.stringify(conversas.get(cliente.nome)) !== JSON.stringify(expectedChat(cliente)),
  )
  // The first wrong chat in full helps more than a count, and so do the bot's state and the last lines of the log.
  const [first] = erradas
  if (first !== undefined) {
    const status = JSON.stringify(await loja.apis[0]?.get('/bot/status'))
    const found = `${erradas.length} wrong chats, bot ${status}\n${product.output().slice(-LOG_CHARS)}`
    expect(conversas.get(first.nome), found).toEqual(expectedChat(first))
  }
  expect(erradas).toHaveLength(0)
}

test('customers get one answer each, in order, although the product is killed three times', async () => {
  const clientes = burstCustomers(7, CLIENTES, MENSAGENS)
  const burst = startBurst(loja, clientes)
  // A random moment in each run, always with work before and after it.
  const momentos = [0.05, 0.35, 0.65].map((inicio) => Math.floor(TOTAL * (inicio + Math.random() * 0.25)))
  const mortes: number[] = []
  for (const [vez, momento] of momentos.entries()) {
    await until(() => Promise.resolve(burst.accepted() >= momento), 2)
    await (vez === 1 ? product.powerCut() : product.kill())
    mortes.push(burst.accepted())
    await product.start()
  }
  await burst.done
  expect(burst.accepted()).toBe(TOTAL)
  await conferir(clientes)
  expect(await mensagensHoje()).toBe(TOTAL)
  console.log(`killed after ${mortes.join(', ')} of ${TOTAL} accepted; ${burst.repeated()} posts were made again`)
})

test('an administrator stops the busy product: it exits with 0 and continues after a start', async () => {
  const clientes = burstCustomers(8, 50, MENSAGENS)
  const burst = startBurst(loja, clientes)
  await until(() => Promise.resolve(burst.accepted() >= 100), 2)
  expect(await product.stop()).toBe(0)
  expect(burst.accepted()).toBeLessThan(50 * MENSAGENS)
  await product.start()
  await burst.done
  await conferir(clientes)
  expect(await mensagensHoje()).toBe(TOTAL + 50 * MENSAGENS)
})

test('a customer gets an answer after the database of the running product ended', async () => {
  const pid = product.pid()
  await product.killDatabase()
  await until(() => product.output().includes('o banco de dados tinha parado e foi iniciado de novo'))
  await until(async () => (await loja.apis[0]?.status('GET', '/ready')) === 200)
  const clientes = burstCustomers(6, 1, 2)
  await startBurst(loja, clientes).done
  await conferir(clientes)
  expect(product.pid()).toBe(pid)
})

test('a second process on one folder is refused with the process id of the first', async () => {
  const { codigo, saida } = await startRefused({ DATA_DIR: product.dataDir, PORT: '0' })
  expect(codigo).toBe(1)
  expect(saida).toContain(`pelo processo ${product.pid()}`)
  expect(await loja.apis[0]?.status('GET', '/health')).toBe(200)
})
