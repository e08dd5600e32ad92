import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linhaRoute } from '@balcao/contract/routes/linhas'
import { custosOficiaisRoute } from '@balcao/contract/routes/custos'
import { createFakeMeta, deliverWebhook, type FakeMeta, type FakeMetaMessage, webhookBody } from './fake-meta.ts'
import {
  createMetaCustomer,
  deliverStatus,
  type MetaCustomer,
  type MetaLoja,
  saveMetaNumber,
  startMetaLoja,
  untilConnected,
  untilSettled,
} from './meta-loja.ts'
import { pricedStatus } from './priced-status.ts'
import { createTestApp, type TestApp, type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, connectBot, customerSays, givenConta, openConversas } from '#test/builders.ts'
import type { TestSocket } from '#test/realtime/sockets.ts'

/** Meta refuses messages because the account has no means of payment: code 131042. */

const UNPAID = 131042
const UNPAID_ANSWER = { status: 400, codigo: UNPAID }

let meta: FakeMeta
let app: TestApp
let loja: MetaLoja
let ana: MetaCustomer
let panel: TestSocket

beforeAll(async () => {
  meta = await createFakeMeta()
  app = await createTestApp({ oficialUrl: meta.url, oficialTimings: { confirmationMs: 50, reconnectDelay: () => 50 } })
  loja = await startMetaLoja(app, meta)
  ana = createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Ana', number: '5511940000001' })
  panel = await app.connect(app.admin)
})
afterAll(async () => {
  await app.close()
  await meta.close()
})

const settled = () => untilSettled(app)
const motivo = async (): Promise<unknown> => (await app.request('GET', '/bot/status')).body['motivo']
const untilRefused = () => waitUntil(async () => (await motivo()) === 'semPagamentoMeta', 1_000)
const untilPaid = () => waitUntil(async () => (await motivo()) === undefined, 1_000)
const report = (mensagem: FakeMetaMessage, status: Parameters<typeof deliverStatus>[2]) =>
  deliverStatus({ app: () => app, loja: () => loja, meta }, mensagem, status)

async function lastOf(customer: MetaCustomer): Promise<FakeMetaMessage> {
  await settled()
  const last = customer.received().at(-1)
  if (last === undefined) throw new Error('no message sent')
  return last
}

async function person(texto: string): Promise<FakeMetaMessage | undefined> {
  const [conversa] = await openConversas(app)
  const path = `/atendimento/conversas/${conversa?.id ?? ''}/mensagem`
  expect((await app.request('POST', path, { mensagem: texto })).status).toBe(200)
  await settled()
  return ana.received().find(({ text }) => text?.body.includes(texto))
}

describe('error 131042 in a status', () => {
  it('raises the reason within a second, on the status and for every window', async () => {
    await ana.says('atendente')
    panel.received.splice(0)
    await report(await lastOf(ana), { falhou: UNPAID })
    await untilRefused()
    expect((await app.request('GET', '/bot/status')).body).toMatchObject({ status: 'CONECTADO', isRunning: true })
    await waitUntil(() => panel.received.some(([name]) => name === 'botStatus'))
    const shown = panel.received.filter(([name]) => name === 'botStatusChange' || name === 'botStatus')
    expect(shown.map(([, data]) => data)).toMatchObject([
      { status: 'CONECTADO', motivo: 'semPagamentoMeta' },
      { status: 'CONECTADO', motivo: 'semPagamentoMeta' },
    ])
  })

  it('stops automatic messages and lets people try', async () => {
    const bia = createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Bia', number: '5511940000002' })
    await bia.says('oi')
    await settled()
    expect(bia.received()).toEqual([])
    const [failed] =
      await app.sql(`select distinct m.estado, m.erro from mensagens m join conversas v on v.id = m.conversa_id
      join contatos c on c.id = v.contato_id where c.nome = 'Bia' and m.direcao = 'saida'`)
    expect(failed).toMatchObject({ estado: 'falhou', erro: expect.stringContaining('pagamento') })
    expect(await person('vou conferir')).toBeDefined()
    // Meta took the message and has not said that it left.
    expect(await motivo()).toBe('semPagamentoMeta')
  })

  it('keeps the reason over a restart of the bot and a late status of an older message', async () => {
    await app.request('POST', '/bot/parar')
    await app.request('POST', '/bot/iniciar')
    await untilConnected(app)
    expect(await motivo()).toBe('semPagamentoMeta')
    const [first] = ana.received()
    if (first !== undefined) await report(first, 'read')
    await settled()
    expect(await motivo()).toBe('semPagamentoMeta')
  })

  it('ends with the success of a person, and the bot answers again', async () => {
    const sent = await person('voltou?')
    if (sent !== undefined) await report(sent, 'sent')
    await untilPaid()
    const caio = createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Caio', number: '5511940000003' })
    await caio.says('oi')
    await settled()
    expect(caio.received().length).toBeGreaterThan(0)
    const logs = (await app.sql('select mensagem from logs order by id desc limit 20')).map(({ mensagem }) => mensagem)
    expect(logs).toEqual(expect.arrayContaining([expect.stringContaining('voltou a aceitar as mensagens')]))
  })
})

describe('error 131042 in an answer', () => {
  it('ends when Meta accepts a message of a person', async () => {
    const davi = createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Davi', number: '5511940000004' })
    meta.queueOutcomes(UNPAID_ANSWER)
    await davi.says('oi')
    await untilRefused()
    await settled()
    meta.queueOutcomes(UNPAID_ANSWER)
    await person('ainda não')
    expect(await motivo()).toBe('semPagamentoMeta')
    expect(await person('agora sim')).toBeDefined()
    await untilPaid()
  })
})

describe('GET /oficial/custos of a running bot', () => {
  it('names who sent each message, also after the erasure of a customer', async () => {
    await app.request('PUT', '/admin/tarifas', { tarifas: [] })
    const eva = createMetaCustomer({ app: () => app, loja: () => loja, meta, name: 'Eva', number: '5511940000005' })
    await eva.says('oi')
    await settled()
    const asked = await person('preço certo')
    const statuses = [...eva.received(), ...(asked === undefined ? [] : [asked])].flatMap((mensagem) => {
      const fields = { wamid: mensagem.wamid, mark: mensagem.biz_opaque_callback_data, to: mensagem.to ?? '' }
      return [pricedStatus(fields), pricedStatus({ ...fields, status: 'delivered' })]
    })
    await deliverWebhook(loja.webhook(app), webhookBody(meta, { statuses }), meta.secret)
    const mes = new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 7)
    const costs = async () =>
      custosOficiaisRoute.response.parse((await app.request('GET', `/oficial/custos?mes=${mes}`)).body)
    const before = await costs()
    expect(before.porOrigem).toEqual([
      { origem: 'bot', mensagens: eva.received().length, valorCentavos: 0 },
      { origem: 'operador', mensagens: 1, valorCentavos: 0 },
    ])
    await settled()
    expect((await app.request('DELETE', `/lgpd/titulares/${eva.number}`)).status).toBe(200)
    expect(await costs()).toEqual(before)
  })
})

describe('error 131042 on a further line', () => {
  it('concerns that line alone and is published as `linhaMudou`', async () => {
    await app.request('POST', '/bot/parar')
    const dona: TestUser = await givenConta(app)
    await connectBot(dona)
    const { body } = await dona.request('POST', '/linhas', { nome: 'Entrega', conector: 'oficial' })
    const { id } = linhaRoute.response.parse(body).linha
    const entrega = await saveMetaNumber(dona, meta, `/linhas/${id}/oficial`)
    await dona.request('POST', `/linhas/${id}/iniciar`)
    const lineStatus = async () => (await dona.request('GET', `/linhas/${id}/status`)).body
    await waitUntil(async () => (await lineStatus())['status'] === 'CONECTADO')
    const hers = await app.connect(dona)
    meta.queueOutcomes(UNPAID_ANSWER)
    const fabio = createMetaCustomer({
      app: () => app,
      loja: () => entrega,
      meta,
      name: 'Fábio',
      number: '5511940000006',
    })
    await fabio.says('oi')
    await waitUntil(async () => (await lineStatus())['motivo'] === 'semPagamentoMeta', 1_000)
    const changed = await waitUntil(() => hers.received.findLast(([name]) => name === 'linhaMudou') ?? null)
    expect(changed[1]).toMatchObject({ linha: { id, status: 'CONECTADO', motivo: 'semPagamentoMeta' } })
    expect((await dona.request('GET', '/bot/status')).body['motivo']).toBeUndefined()
    await customerSays(dona, '5511940000007', 'oi')
    await waitUntil(async () => (await chatOf(dona, '5511940000007')).length > 1)
  })
})
