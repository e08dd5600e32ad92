import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, type TestUser, waitUntil } from '#test/app.ts'
import { databaseUrl } from '#test/bot/program.ts'
import { givenConta, saveConfig } from '#test/builders.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { pause } from '#test/fleet/faults.ts'
import { holderOf } from '#test/fleet/fixture.ts'
import { at, type NodeProcess, type Processes, startProcesses } from '#test/fleet/processes.ts'
import { createFakeMeta, type FakeMeta, type FakeMetaMessage } from './fake-meta.ts'
import { createMetaCustomer, deliverStatus, type MetaCustomer, type MetaLoja, startMetaLoja } from './meta-loja.ts'

/** Real processes with a fake Meta API, which runs in this process and outlives them. */

/** A node is condemned, and its bot starts elsewhere, within this time. */
const BACK_MS = 12_000
/** Tests share two cores. */
const SLOW_MACHINE_MS = 5_000
/** A condemned process closes its parts in at most 10 s. */
const AWAKE_MS = 15_000
const MENU = 'Escolha de 1 a 3'

let database: TestDatabase
let meta: FakeMeta
let fleet: Processes
let shop: TestUser
let loja: MetaLoja
let customers = 0

beforeAll(async () => {
  database = await createTestDatabase()
  meta = await createFakeMeta()
  fleet = await startProcesses({
    databaseUrl: databaseUrl(database),
    size: 2,
    env: { WHATSAPP_CLOUD_BASE_URL: meta.url },
  })
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  const admin = await node.login()
  shop = await givenConta({ request: admin.request, login: (email) => node.login(email, PASSWORD) })
  await admin.request('POST', `/admin/usuarios/${shop.usuario.id}/limite-mensagens`, { limiteMensagensDia: 100_000 })
  await saveConfig(shop, (config) => ({
    ...config,
    menu: {
      ...config.menu,
      menuPrincipal: MENU,
      mensagens: { ...config.menu.mensagens, boasVindas: '' },
      digitando: false,
    },
  }))
  loja = await startMetaLoja(shop, meta)
})
afterAll(async () => {
  await fleet?.close()
  await meta?.close()
  await database?.drop()
})
beforeEach(async () => {
  for (const node of fleet.nodes) {
    // A test that failed may have left a stopped process.
    node.signal('SIGCONT')
    if (!node.running()) await node.start()
  }
  meta.silent = false
  meta.messages.length = 0
})

const holder = (): Promise<NodeProcess> => waitUntil(() => holderOf({ ...fleet, database }, shop.contaId))
const otherThan = (one: NodeProcess): NodeProcess => {
  const other = fleet.nodes.find((node) => node !== one)
  if (other === undefined) throw new Error('a fleet of two has two nodes')
  return other
}
const connected = (node: NodeProcess): Promise<unknown> =>
  waitUntil(async () => (await at(node, shop).request('GET', '/bot/status')).body['status'] === 'CONECTADO')
const takenBy = (node: NodeProcess): Promise<unknown> =>
  waitUntil(async () => (await holderOf({ ...fleet, database }, shop.contaId)) === node, 60_000)
const nothingWaits = (): Promise<unknown> =>
  waitUntil(async () => (await database.owner.query('select 1 from saida')).rows.length === 0)

/** New customers who write once, by the webhook of this node. Each gets one answer. */
async function customersWrite(node: NodeProcess, count: number): Promise<MetaCustomer[]> {
  const fresh = Array.from({ length: count }, () => {
    const number = `55119${String((customers += 1)).padStart(8, '0')}`
    return createMetaCustomer({ app: () => node, loja: () => loja, meta, name: `Cliente ${customers}`, number })
  })
  const answers = await Promise.all(fresh.map((customer) => customer.says('oi')))
  expect(new Set(answers)).toEqual(new Set([200]))
  return fresh
}

/** Meta reports to this node that it sent these messages. */
const report = (node: NodeProcess, sent: readonly FakeMetaMessage[]): Promise<unknown> =>
  Promise.all(sent.map((one) => deliverStatus({ app: () => node, loja: () => loja, meta }, one, 'sent')))
const marksOf = (messages: readonly FakeMetaMessage[]): string[] =>
  messages.map(({ biz_opaque_callback_data: mark }) => mark)
/** Copies of messages that Meta accepted already. */
const repeated = (): number => meta.messages.length - new Set(marksOf(meta.messages)).size

describe('kill -9 of the node that sends 200 messages to Meta', () => {
  it('loses none, and repeats only those about which Meta sends no status', async () => {
    const dying = await holder()
    const survivor = otherThan(dying)
    meta.silent = true
    const writing = await customersWrite(survivor, 200)
    // Some were accepted, the others wait for the pace of the link.
    await waitUntil(() => meta.messages.length >= 120)
    const { rows } = await database.owner.query('select 1 from saida where tentada_por is not null')
    expect(rows).toHaveLength(200)
    await dying.kill()
    const killedAt = performance.now()
    meta.silent = false
    const accepted = [...meta.messages]
    const [unreported, reported] = [accepted.slice(0, 3), accepted.slice(3)]
    // Meta's statuses arrive before and after the takeover.
    await report(survivor, reported.slice(0, 60))
    await takenBy(survivor)
    expect(performance.now() - killedAt).toBeLessThan(BACK_MS + SLOW_MACHINE_MS)
    await connected(survivor)
    const sentBefore = meta.messages.length
    await report(survivor, reported.slice(60))
    await waitUntil(() => writing.every((customer) => customer.received().length > 0))
    await nothingWaits()
    expect(sentBefore).toBe(accepted.length)
    const texts = writing.flatMap((customer) => customer.received().map(({ text }) => text?.body))
    expect(texts).toHaveLength(200 + unreported.length)
    expect(texts.filter((text) => text?.startsWith(MENU) !== true)).toEqual([])
    const twice = marksOf(meta.messages.slice(accepted.length)).filter((mark) => marksOf(accepted).includes(mark))
    expect(twice.toSorted()).toEqual(marksOf(unreported).toSorted())
  })
})

describe('a node that stands still while it sends a message to Meta', () => {
  it.for([
    { where: 'before the claim', point: 'saida.reivindicada', most: 0 },
    { where: 'between the claim and the last check', point: 'saida.tentada', most: 0 },
    { where: 'between the last check and the wire', point: 'saida.permitida', most: 1 },
  ])('loses no message and repeats at most $most when stopped $where', async ({ point, most }) => {
    const standing = await holder()
    const stopping = otherThan(standing)
    // Only a process with the crash point stops at it. The bot moves to it when the other process ends.
    await stopping.terminate()
    await stopping.start({ FALHA: `${point}:5:para` })
    await standing.terminate()
    await takenBy(stopping)
    await standing.start()
    await connected(standing)
    const writing = await customersWrite(standing, 10)
    await takenBy(standing)
    // Accepted from the stopped process, which did not read the answer.
    await report(standing, meta.messages)
    await waitUntil(() => writing.every((customer) => customer.received().length > 0))
    await nothingWaits()
    expect(repeated()).toBe(0)
    stopping.signal('SIGCONT')
    await waitUntil(() => !stopping.running(), AWAKE_MS)
    await pause(500)
    expect(repeated()).toBeLessThanOrEqual(most)
    expect(writing.map((customer) => customer.received().length - 1).reduce((sum, one) => sum + one)).toBe(repeated())
  })
})
