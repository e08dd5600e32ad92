import { afterAll, beforeAll, expect, test } from 'vitest'
import { abrirLoja, at, type LojaPronta, until } from './loja-pronta.ts'
import { type Product, startProduct, startRefused } from './product.ts'
import { type Cliente, clientesDe, conversaCerta, dispararRajada, lerConversas, MENU_DA_RAJADA } from './rajada.ts'

const CLIENTES = 250
const MENSAGENS = 8
const TOTAL = CLIENTES * MENSAGENS

let product: Product
let loja: LojaPronta

beforeAll(async () => {
  product = await startProduct()
  loja = await abrirLoja(product, { menu: MENU_DA_RAJADA })
})

afterAll(() => product?.destroy())

async function mensagensHoje(): Promise<unknown> {
  return at(await loja.apis[0]?.get('/usuario/estatisticas'), 'usuario', 'estatisticas', 'mensagensHoje')
}

async function conferir(clientes: readonly Cliente[]): Promise<void> {
  const conversas = await lerConversas(loja, clientes)
  const erradas = clientes.filter(
    (cliente) => JSON.stringify(conversas.get(cliente.nome)) !== JSON.stringify(conversaCerta(cliente)),
  )
  // The first wrong chat in full helps more than a count.
  const [primeira] = erradas
  if (primeira !== undefined) expect(conversas.get(primeira.nome)).toEqual(conversaCerta(primeira))
  expect(erradas).toHaveLength(0)
}

test('customers get one answer each, in order, although the product is killed three times', async () => {
  const clientes = clientesDe(7, CLIENTES, MENSAGENS)
  const rajada = dispararRajada(loja, clientes)
  // A random moment in each run, always with work before and after it.
  const momentos = [0.05, 0.35, 0.65].map((inicio) => Math.floor(TOTAL * (inicio + Math.random() * 0.25)))
  const mortes: number[] = []
  for (const [vez, momento] of momentos.entries()) {
    await until(() => Promise.resolve(rajada.aceitas() >= momento), 2)
    await (vez === 1 ? product.powerCut() : product.kill())
    mortes.push(rajada.aceitas())
    await product.start()
  }
  await rajada.fim
  expect(rajada.aceitas()).toBe(TOTAL)
  await conferir(clientes)
  expect(await mensagensHoje()).toBe(TOTAL)
  console.log(`killed after ${mortes.join(', ')} of ${TOTAL} accepted; ${rajada.repetidas()} posts were made again`)
})

test('an administrator stops the busy product: it exits with 0 and continues after a start', async () => {
  const clientes = clientesDe(8, 50, MENSAGENS)
  const rajada = dispararRajada(loja, clientes)
  await until(() => Promise.resolve(rajada.aceitas() >= 100), 2)
  expect(await product.stop()).toBe(0)
  expect(rajada.aceitas()).toBeLessThan(50 * MENSAGENS)
  await product.start()
  await rajada.fim
  await conferir(clientes)
  expect(await mensagensHoje()).toBe(TOTAL + 50 * MENSAGENS)
})

test('a second process on one folder is refused with the process id of the first', async () => {
  const { codigo, saida } = await startRefused({ DATA_DIR: product.dataDir, PORT: '0' })
  expect(codigo).toBe(1)
  expect(saida).toContain(`pelo processo ${product.pid()}`)
  expect(await loja.apis[0]?.status('GET', '/health')).toBe(200)
})
