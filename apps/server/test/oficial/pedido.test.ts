import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configRoute } from '@balcao/contract/routes/config'
import { custosOficiaisRoute } from '@balcao/contract/routes/custos'
import type { Pedido } from '@balcao/contract/entities/pedido'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { type TestApp, createTestApp, waitUntil } from '#test/app.ts'
import { openConversas } from '#test/builders.ts'
import { addProduto, allPedidos, FEE, totalIn, withOrders } from '#test/pedidos/shop.ts'
import {
  createFakeMeta,
  deliverWebhook,
  type FakeMeta,
  type FakeMetaMessage,
  textOf,
  webhookBody,
} from './fake-meta.ts'
import {
  createMetaCustomer,
  deliverStatus,
  type MetaCustomer,
  type MetaLoja,
  startMetaLoja,
  untilConnected,
  untilSettled,
} from './meta-loja.ts'
import { CHARGED, pricedStatus } from './priced-status.ts'

/** Orders on the official API, paid by PIX. */

const DAY_MS = 24 * 3_600_000
const oficialTimings = { confirmationMs: 50, reconnectDelay: () => 50 }
let customers = 0
let database: TestDatabase
let app: TestApp
let meta: FakeMeta
let loja: MetaLoja

const open = () => createTestApp({ database, oficialTimings, oficialUrl: meta.url })

beforeAll(async () => {
  meta = await createFakeMeta()
  database = await createTestDatabase()
  app = await open()
  loja = await startMetaLoja(app, meta, { juntarMensagens: 'oficial' })
  const { config } = configRoute.response.parse((await app.request('GET', '/config')).body)
  expect((await app.request('PUT', '/config', withOrders(config))).status).toBe(200)
  await addProduto(app, 'Coxinha')
  await addProduto(app, 'Torta', { preco: 5.35 })
  const cupom = { codigo: 'VOLTEI10', tipo: 'percentual', valor: 10 }
  expect((await app.request('POST', '/cupons', cupom)).status).toBe(201)
})
afterAll(async () => {
  await app.close()
  await meta.close()
  await database.drop()
})

function customer(name = 'Ana'): MetaCustomer {
  customers += 1
  const number = `551193200${String(customers).padStart(4, '0')}`
  return createMetaCustomer({ app: () => app, loja: () => loja, meta, name, number })
}

/** The customer says one thing, by the clock of the server, and reads the answers to it. */
async function ask(who: MetaCustomer, said: string | object): Promise<FakeMetaMessage[]> {
  const before = who.received().length
  const message = typeof said === 'string' ? { type: 'text', text: { body: said } } : said
  const timestamp = String(Math.floor(app.deps.clock.now().getTime() / 1_000))
  expect(await who.sends({ ...message, timestamp })).toBe(200)
  await untilSettled(app)
  return who.received().slice(before)
}

const tap = (id: string, title: string) => ({
  ...{ type: 'interactive', interactive: { type: 'button_reply', button_reply: { id, title } } },
  context: { id: 'wamid.MENU' },
})

/** From the greeting to the summary of 2 coxinhas and 1 torta. Returns the total that the customer reads. */
async function walkToSummary(who: MetaCustomer): Promise<number | null> {
  const [greeting] = await ask(who, 'oi')
  expect(greeting?.interactive?.type).toBe('list')
  for (const said of ['3', '2 coxinhas e uma torta', 'cupom voltei10', 'fechar', '1', 'Rua A, 10, Centro']) {
    const answers = await ask(who, said)
    const total = totalIn(answers.map(textOf).join('\n'))
    if (total !== null) return total
  }
  return null
}

async function orderAll(who: MetaCustomer): Promise<FakeMetaMessage[]> {
  expect(await walkToSummary(who)).toBe(2_082)
  return ask(who, tap('confirmar', 'Confirmar'))
}

async function lastPedido(): Promise<Pedido> {
  const [pedido] = await allPedidos(app, 'limite=1')
  if (pedido === undefined) throw new Error('no order')
  return pedido
}

/** The stored message with the code. */
async function storedCode(pedido: Pedido) {
  const [row] = await app.sql(
    `select id, texto, estado, extras ->> 'cobranca' as cobranca from mensagens where conversa_id = $1 and texto like '000201%'`,
    [pedido.conversaId],
  )
  return row
}

const codesIn = (sent: readonly FakeMetaMessage[]): string[] =>
  sent.flatMap(({ text }) => (text?.body.startsWith('000201') === true ? [text.body] : []))
const ordersIn = (sent: readonly FakeMetaMessage[]) =>
  sent.flatMap(({ interactive }) => (interactive?.type === 'order_details' ? [interactive] : []))

describe('an order on the official API', () => {
  it('is sold from the greeting to the payment, and each of its messages is counted once', async () => {
    const ana = customer()
    const sent = await orderAll(ana)
    expect(sent.map(({ type, interactive }) => interactive?.type ?? type)).toEqual(['text', 'order_details', 'image'])
    expect(textOf(sent[0] ?? {})).toContain('recebido')
    const pedido = await lastPedido()
    expect(pedido).toMatchObject({ subtotalCentavos: 1_535, entregaCentavos: FEE, descontoCentavos: 153 })
    const stored = await storedCode(pedido)
    const brl = (value: number): object => ({ value, offset: 100 })
    const [details] = ordersIn(sent)
    expect(details).toEqual({
      type: 'order_details',
      body: { text: `Pedido nº ${pedido.numero}: R$ 20,82` },
      action: {
        name: 'review_and_pay',
        parameters: {
          ...{ reference_id: pedido.txid, type: 'digital-goods', payment_type: 'br', currency: 'BRL' },
          payment_settings: [
            {
              type: 'pix_dynamic_code',
              pix_dynamic_code: {
                ...{ code: stored?.['texto'], merchant_name: 'PADARIA AURORA' },
                ...{ key: '11222333000181', key_type: 'CNPJ' },
              },
            },
          ],
          total_amount: brl(2_082),
          order: {
            status: 'pending',
            items: [
              { retailer_id: '1', name: 'Coxinha', amount: brl(500), quantity: 2 },
              { retailer_id: '2', name: 'Torta', amount: brl(535), quantity: 1 },
            ],
            ...{ subtotal: brl(1_535), tax: brl(0), shipping: brl(FEE), discount: brl(153) },
          },
        },
      },
    })
    // States of messages are stored once people have the conversa.
    await ask(ana, 'atendente')
    // Each message has three statuses with its price, and one is repeated.
    for (const status of ['sent', 'delivered', 'read', 'read'] as const) {
      const statuses = ana
        .received()
        .map(({ wamid, to = '', biz_opaque_callback_data: mark }) =>
          pricedStatus({ wamid, status, mark, to, pricing: CHARGED }),
        )
      expect(await deliverWebhook(loja.webhook(app), webhookBody(meta, { statuses }), meta.secret)).toBe(200)
    }
    await untilSettled(app)
    await waitUntil(async () => (await storedCode(pedido))?.['estado'] === 'lida')
    const count = ana.received().length
    const month = new Date().toISOString().slice(0, 7)
    const costs = custosOficiaisRoute.response.parse((await app.request('GET', `/oficial/custos?mes=${month}`)).body)
    expect(costs.mensagens).toEqual({ cobradas: count, gratuitas: 0, anuncio: 0 })
    expect(await app.sql('select sum(usadas)::int as usadas from uso_diario')).toEqual([{ usadas: count }])
    await app.request('PUT', `/pedidos/${pedido.id}/pagamento`, { estado: 'confirmado' })
    await app.request('PUT', `/pedidos/${pedido.id}/status`, { status: 'preparo' })
    await ana.hasRead(count + 1)
    expect((await lastPedido()).pagamento).toMatchObject({ forma: 'pix', estado: 'confirmado' })
  })

  it('leaves as text when Meta refuses it, and then for a day', async () => {
    // Also the code of a wrong token: the text shows that the token is right.
    meta.orderError = { status: 403, codigo: 131005 }
    const sent = await orderAll(customer('Bia'))
    const bia = await lastPedido()
    expect(codesIn(sent)).toEqual([(await storedCode(bia))?.['texto']])
    expect(sent).toHaveLength(3)
    expect((await app.request('GET', '/bot/status')).body['status']).toBe('CONECTADO')
    const tries = () => meta.attempts.filter((text) => text === 'order_details').length
    const before = tries()
    meta.orderError = null
    await app.close()
    app = await open()
    await untilConnected(app)
    expect(codesIn(await orderAll(customer('Caio')))).toHaveLength(1)
    expect(tries()).toBe(before)
    app.advance(DAY_MS)
    const next = await orderAll(customer('Duda'))
    expect([codesIn(next).length, ordersIn(next).length, tries()]).toEqual([0, 1, before + 1])
  })

  it('leaves as text when it is sent again after a status refused it', async () => {
    const eva = customer('Eva')
    const [order] = (await orderAll(eva)).filter(({ interactive }) => interactive?.type === 'order_details')
    const stored = await storedCode(await lastPedido())
    if (order === undefined) throw new Error('no order sent')
    await ask(eva, 'atendente')
    await deliverStatus({ app: () => app, loja: () => loja, meta }, order, { falhou: 131026 })
    await waitUntil(async () => (await storedCode(await lastPedido()))?.['estado'] === 'falhou')
    const conversa = await waitUntil(async () =>
      (await openConversas(app)).find(({ cliente }) => cliente.telefone === eva.number),
    )
    expect((await app.request('POST', `/atendimento/conversas/${conversa?.id}/assumir`)).status).toBe(200)
    const again = eva.received().length
    expect((await app.request('POST', `/atendimento/mensagens/${String(stored?.['id'])}/reenviar`)).status).toBe(200)
    await untilSettled(app)
    expect(codesIn(eva.received().slice(again))).toEqual([stored?.['texto']])
  })
})
