import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type Pedido, pedidoSchema, STATUS_PEDIDO, type StatusPedido } from '@balcao/contract/entities/pedido'
import { relatorioRoute } from '@balcao/contract/routes/atendimento-equipe'
import type { TestSocket } from '#test/realtime/sockets.ts'
import { createTestApp, type TestApp, waitUntil } from '#test/app.ts'
import { connectBot, customerSays, givenWaitingCustomer } from '#test/builders.ts'
import { addProduto, allPedidos, FEE, FREE_FROM, lastAnswer, totalIn, walkToSummary, withOrders } from './shop.ts'

/** Orders after any sequence of commands in chat and panel, against a second way of counting. */

const STOCK = 4
const PERCENT = 10
const PIZZA = 4_000
const SABORES = { Calabresa: 500, Portuguesa: 800 }

let app: TestApp
let socket: TestSocket
let conversaId: string
let coxinha: string
let pizza: string
let phones = 0
let runs = 0

beforeAll(async () => {
  app = await createTestApp({ requestsPerConta: 100_000 })
  await connectBot(app.admin, withOrders)
  socket = await app.connect(app.admin)
  conversaId = await givenWaitingCustomer(app.admin, '5511999990000')
  coxinha = await addProduto(app.admin, 'Coxinha')
  const opcoes = Object.entries(SABORES).map(([nome, acrescimoCentavos]) => ({
    ...{ id: nome.toLowerCase(), nome, acrescimoCentavos, ativa: true },
  }))
  const sabor = { id: 'sabor', nome: 'Sabor', minimo: 1, maximo: 2, preco: 'maior', opcoes }
  pizza = await addProduto(app.admin, 'Pizza', { preco: PIZZA / 100, grupos: [sabor] })
})
afterAll(() => app?.close())

function newPhone(): string {
  phones += 1
  return `551197000${String(phones).padStart(4, '0')}`
}

const amount = fc.integer({ min: 1, max: 3 })
const phone = fc.nat(1)
const sentence = fc.constantFrom('coxinha', 'pizza calabresa', 'pizza metade calabresa metade portuguesa')
const delivery = fc.boolean()
const commands = fc.oneof(
  { weight: 3, arbitrary: fc.record({ tipo: fc.constant('pede' as const), phone, amount, sentence }) },
  fc.record({ tipo: fc.constant('tira' as const), phone, amount }),
  fc.record({ tipo: fc.constant('cupom' as const), phone }),
  { weight: 3, arbitrary: fc.record({ tipo: fc.constant('confirma' as const), phone, delivery }) },
  fc.record({ tipo: fc.constant('confirmamJuntos' as const), delivery }),
  fc.record({ tipo: fc.constant('pessoaEscreve' as const), amount, delivery, desconto: fc.nat(900) }),
  fc.record({ tipo: fc.constant('move' as const), at: fc.nat(5), status: fc.constantFrom(...STATUS_PEDIDO) }),
  fc.record({ tipo: fc.constant('preco' as const), centavos: fc.integer({ min: 1, max: 900 }) }),
)
type Command = typeof commands extends fc.Arbitrary<infer One> ? One : never

interface Run {
  readonly phones: readonly string[]
  readonly cupom: string
  /** Ids of the orders of earlier runs. */
  readonly earlier: ReadonlySet<string>
  /** Sums of the report before this run. */
  readonly before: Sales
  /** Price of one coxinha now, in cents. */
  price: number
  /** The orders of this run that were checked. */
  readonly known: Map<string, StatusPedido>
}

const answerSchema = z.object({ pedido: pedidoSchema })
const pathOf = ({ id }: Pedido, rest = ''): string => `/pedidos/${id}${rest}`

async function startRun(): Promise<Run> {
  runs += 1
  const run: Run = {
    phones: [newPhone(), newPhone()],
    cupom: `RODADA${runs}`,
    earlier: new Set((await allPedidos(app.admin)).map(({ id }) => id)),
    before: await readSales(),
    price: 500,
    known: new Map(),
  }
  await app.request('PUT', `/produtos/${coxinha}`, { estoque: STOCK, preco: run.price / 100 })
  const cupom = { codigo: run.cupom, tipo: 'percentual', valor: PERCENT, usos: 1 }
  expect((await app.request('POST', '/cupons', cupom)).status).toBe(201)
  for (const telefone of run.phones) await customerSays(app.admin, telefone, 'oi', '3')
  return run
}

const phoneAt = ({ phones: both }: Run, at: number): string => both[at] ?? ''

/** Plays one command. Returns how many orders it made, and the discount that a person gave. */
async function play(run: Run, command: Command): Promise<{ readonly made: number; readonly desconto?: number }> {
  switch (command.tipo) {
    case 'pede':
      await customerSays(app.admin, phoneAt(run, command.phone), `quero ${command.amount} ${command.sentence}`)
      return { made: 0 }
    case 'tira':
      await customerSays(app.admin, phoneAt(run, command.phone), `tira ${command.amount} coxinha`)
      return { made: 0 }
    case 'cupom':
      await customerSays(app.admin, phoneAt(run, command.phone), `cupom ${run.cupom}`)
      return { made: 0 }
    case 'confirma':
      return { made: await confirmAll([phoneAt(run, command.phone)], command.delivery) }
    case 'confirmamJuntos':
      return { made: await confirmAll(run.phones, command.delivery) }
    case 'pessoaEscreve':
      return { made: await writeByHand(command), desconto: command.desconto }
    case 'move':
      await move(run, command)
      return { made: 0 }
    case 'preco':
      run.price = command.centavos
      expect((await app.request('PUT', `/produtos/${coxinha}`, { preco: command.centavos / 100 })).status).toBe(200)
      return { made: 0 }
  }
}

/** Customers confirm together, each message twice. A changed price, stock or coupon asks for another confirmation. */
async function confirmAll(telefones: readonly string[], delivery: boolean): Promise<number> {
  const shown = new Map<string, number>()
  for (const telefone of telefones) {
    const total = await walkToSummary(app.admin, telefone, delivery)
    if (total !== null) shown.set(telefone, total)
  }
  let made = 0
  for (let round = 0; shown.size > 0 && round < 4; round += 1) {
    const waiting = [...shown]
    await Promise.all(waiting.map(([telefone]) => confirmTwice(telefone)))
    await app.idle()
    for (const [telefone, total] of waiting) {
      const told = await lastAnswer(app.admin, telefone)
      const [, sold] = /recebido! Total: R\$\s([\d.,]+)/.exec(told) ?? []
      const again = totalIn(told)
      shown.delete(telefone)
      if (sold === undefined && again !== null) shown.set(telefone, again)
      if (sold === undefined) continue
      made += 1
      expect(Number(sold.replaceAll('.', '').replace(',', ''))).toBe(total)
    }
  }
  return made
}

/** A service may deliver a message several times. */
async function confirmTwice(telefone: string): Promise<void> {
  const message = { telefone, nome: 'Bia', texto: 'confirmar', id: app.deps.ids.uuid() }
  await Promise.all([1, 2].map(() => app.request('POST', '/simulador/mensagens', message)))
}

async function writeByHand(command: Extract<Command, { tipo: 'pessoaEscreve' }>): Promise<number> {
  const { amount: quantidade, delivery, desconto: descontoCentavos } = command
  const { status } = await app.request('POST', '/pedidos', {
    ...{ conversaId, itens: [{ produtoId: coxinha, quantidade }], descontoCentavos, pagamento: { forma: 'dinheiro' } },
    entrega: delivery ? { tipo: 'entrega', endereco: 'Rua A, 10', bairro: 'centro' } : { tipo: 'retirada' },
  })
  expect([201, 409]).toContain(status)
  return status === 201 ? 1 : 0
}

function mayMove({ status, entrega }: Pedido, to: StatusPedido): boolean {
  const next: Readonly<Record<StatusPedido, readonly StatusPedido[]>> = {
    novo: ['preparo', 'cancelado'],
    preparo: [entrega.tipo === 'entrega' ? 'saiu' : 'entregue', 'cancelado'],
    saiu: ['entregue', 'cancelado'],
    entregue: [],
    cancelado: [],
  }
  return next[status].includes(to)
}

async function move(run: Run, { at, status }: Extract<Command, { tipo: 'move' }>): Promise<void> {
  const own = await pedidosOf(run)
  const pedido = own[at % Math.max(own.length, 1)]
  if (pedido === undefined) return
  const answer = await app.request('PUT', pathOf(pedido, '/status'), { status })
  expect(answer.status).toBe(mayMove(pedido, status) ? 200 : 409)
}

const pedidosOf = async ({ earlier }: Run): Promise<readonly Pedido[]> =>
  (await allPedidos(app.admin)).filter(({ id }) => !earlier.has(id))

const reais = (centavos: number): string => `R$ ${(centavos / 100).toFixed(2).replace('.', ',')}`

/** Sums of a new order, counted by hand. */
async function checkSums(run: Run, pedido: Pedido, handDiscount: number | undefined): Promise<void> {
  let subtotal = 0
  for (const { produtoId, quantidade, precoCentavos, opcoes } of pedido.itens) {
    const additions = opcoes.map(({ acrescimoCentavos }) => acrescimoCentavos)
    const unit = produtoId === pizza ? PIZZA + Math.max(...additions) : run.price
    expect(precoCentavos).toBe(unit)
    subtotal += unit * quantidade
  }
  const fee = pedido.entrega.tipo === 'retirada' || subtotal >= FREE_FROM ? 0 : FEE
  const [row] = await app.sql('select cupom_id from pedidos where id = $1', [pedido.id])
  const coupon = row?.['cupom_id'] === null ? 0 : Math.floor((subtotal * PERCENT) / 100)
  const discount = Math.min(handDiscount ?? coupon, subtotal + fee)
  expect(pedido).toMatchObject({
    ...{ subtotalCentavos: subtotal, entregaCentavos: fee, descontoCentavos: discount },
    totalCentavos: subtotal + fee - discount,
  })
}

/** The order is the same in the event, by its id and on the ticket. */
async function checkPlaces(pedido: Pedido): Promise<void> {
  const newOnes = () =>
    socket.received.flatMap(([name, data]) => (name === 'pedidoNovo' ? [answerSchema.parse(data).pedido] : []))
  const events = await waitUntil(() => {
    const own = newOnes().filter(({ id }) => id === pedido.id)
    return own.length > 0 ? own : null
  })
  expect(events).toEqual([pedido])
  expect(answerSchema.parse((await app.request('GET', pathOf(pedido))).body).pedido).toEqual(pedido)
  const ticket = await fetch(`${app.url}/api${pathOf(pedido, '/cupom?largura=48')}`, {
    headers: { authorization: `Bearer ${app.admin.token}` },
  })
  const line = (await ticket.text()).split('\n').find((text) => text.startsWith('TOTAL'))
  expect(line?.replaceAll('\u00a0', ' ')).toContain(reais(pedido.totalCentavos))
}

interface Sales {
  readonly pedidos: number
  readonly receitaCentavos: number
  readonly entregaCentavos: number
  readonly descontoCentavos: number
  /** Of the items, in cents. */
  readonly itens: number
}

/** The report of all days of the test. Its days and produtos sum up to its total. */
async function readSales(): Promise<Sales> {
  const day = (date: Date): string => date.toISOString().slice(0, 10)
  const now = app.deps.clock.now()
  const days = `de=${day(new Date(now.getTime() - 5 * 86_400_000))}&ate=${day(new Date(now.getTime() + 86_400_000))}`
  const answer = await app.request('GET', `/atendimento/relatorio?${days}`)
  const { vendas } = relatorioRoute.response.parse(answer.body)
  if (vendas === undefined) {
    return { pedidos: 0, receitaCentavos: 0, entregaCentavos: 0, descontoCentavos: 0, itens: 0 }
  }
  const sum = (figures: readonly { readonly receitaCentavos: number }[]): number =>
    figures.reduce((total, { receitaCentavos }) => total + receitaCentavos, 0)
  expect(sum(vendas.dias)).toBe(vendas.total.receitaCentavos)
  return { ...vendas.total, itens: sum(vendas.produtos) }
}

/** The report has the orders of this run that are not cancelled, counted by hand. */
async function checkReport(own: readonly Pedido[], { before }: Run): Promise<void> {
  const sold = own.filter(({ status }) => status !== 'cancelado')
  const sum = (of: (pedido: Pedido) => number): number => sold.reduce((total, pedido) => total + of(pedido), 0)
  const itens = ({ itens: all }: Pedido): number =>
    all.reduce((total, { quantidade, precoCentavos }) => total + quantidade * precoCentavos, 0)
  expect(await readSales()).toEqual({
    pedidos: before.pedidos + sold.length,
    receitaCentavos: before.receitaCentavos + sum(({ totalCentavos }) => totalCentavos),
    entregaCentavos: before.entregaCentavos + sum(({ entregaCentavos }) => entregaCentavos),
    descontoCentavos: before.descontoCentavos + sum(({ descontoCentavos }) => descontoCentavos),
    itens: before.itens + sum(itens),
  })
}

async function checkRun(run: Run, made: number, desconto: number | undefined): Promise<void> {
  const own = await pedidosOf(run)
  const fresh = own.filter(({ id }) => !run.known.has(id))
  expect(fresh).toHaveLength(made)
  for (const pedido of fresh) {
    await checkSums(run, pedido, desconto)
    await checkPlaces(pedido)
  }
  for (const { id, status } of own) run.known.set(id, status)
  await checkReport(own, run)
  const sold = own
    .filter(({ status }) => status !== 'cancelado')
    .flatMap(({ itens }) => itens.filter(({ produtoId }) => produtoId === coxinha))
    .reduce((sum, { quantidade }) => sum + quantidade, 0)
  expect(sold).toBeLessThanOrEqual(STOCK)
  expect(await app.sql('select estoque from produtos where id = $1', [coxinha])).toEqual([{ estoque: STOCK - sold }])
  const uses = await app.sql(
    `select 1 from pedidos p join cupons c on c.id = p.cupom_id where c.codigo = $1 and p.status <> 'cancelado'`,
    [run.cupom],
  )
  expect(uses.length).toBeLessThanOrEqual(1)
}

describe('orders after any sequence of commands', () => {
  it('have one total everywhere, and never sell more than stock and coupon uses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(commands, { minLength: 5, maxLength: 9 }), async (played) => {
        const run = await startRun()
        for (const command of played) {
          // Many answers within a minute look like two bots that talk.
          app.advance(61_000)
          const { made, desconto } = await play(run, command)
          await checkRun(run, made, desconto)
        }
      }),
      { numRuns: 8, seed: 20_261_129, endOnFailure: true },
    )
  })
})

describe('100 customers who confirm at the same moment', () => {
  async function confirmTogether(...said: readonly string[]): Promise<readonly string[]> {
    const crowd = Array.from({ length: 100 }, newPhone)
    await Promise.all(crowd.map((telefone) => customerSays(app.admin, telefone, 'oi', '3', ...said, 'fechar', '2')))
    await Promise.all(crowd.map((telefone) => customerSays(app.admin, telefone, 'confirmar')))
    await app.idle()
    return Promise.all(crowd.map((telefone) => lastAnswer(app.admin, telefone)))
  }
  const countOf = (told: readonly string[], part: string): number => told.filter((text) => text.includes(part)).length

  it('buy the last unit once', async () => {
    const id = await addProduto(app.admin, 'Panetone', { estoque: 1 })
    const told = await confirmTogether('1 panetone')
    expect([countOf(told, 'recebido'), countOf(told, 'Panetone acabou')]).toEqual([1, 99])
    expect(await allPedidos(app.admin, 'busca=Panetone')).toHaveLength(1)
    expect(await app.sql('select estoque from produtos where id = $1', [id])).toEqual([{ estoque: 0 }])
  })

  it('take the last use of a coupon once', async () => {
    await addProduto(app.admin, 'Brownie', { preco: 20 })
    const cupom = { codigo: 'ULTIMO', tipo: 'valor', valor: 500, usos: 1 }
    expect((await app.request('POST', '/cupons', cupom)).status).toBe(201)
    const told = await confirmTogether('1 brownie', 'cupom ultimo')
    expect([countOf(told, 'recebido'), countOf(told, 'ULTIMO não vale mais')]).toEqual([1, 99])
    const pedidos = await allPedidos(app.admin, 'busca=Brownie')
    expect(pedidos.map(({ descontoCentavos, totalCentavos }) => [descontoCentavos, totalCentavos])).toEqual([
      [500, 1_500],
    ])
  })
})
