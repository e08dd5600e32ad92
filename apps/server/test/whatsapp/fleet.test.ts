import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createFakeServer, type FakeCustomer, type FakeServer } from '@balcao/whatsapp/rede-falsa'
import { JOURNAL_CRASH_POINTS } from '#lib/crash-points.ts'
import { waitUntil } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { longDescribe, longIt, seededRandom, SHORT } from '#test/fleet/faults.ts'
import { type Forwarder, startForwarder } from '#test/fleet/forwarder.ts'
import { holderOf } from '#test/fleet/fixture.ts'
import { type NodeProcess, type Processes, startProcesses } from '#test/fleet/processes.ts'
import { givenLine, isOpen, type Line, newCustomer, watchOverlaps } from './lines.ts'

/** Real processes with the real library on a fake network. */

const BOTS = SHORT ? 2 : 190
const BACK_MS = 30_000
/** A node closes its lines 9 s after its last renewal. */
const CLOSED_MS = 9_000
/** Tests share two cores. */
const SLOW_MACHINE_MS = 4_000
const TEXTS = ['oi', '4', 'hein?', '4']

let network: FakeServer
let database: TestDatabase
/** The forwarders between each node and the database, in the order of the nodes. */
let forwarders: Forwarder[]
let fleet: Processes
let lines: Line[]
let overlapping: Set<string>
const random = seededRandom('whatsapp')

beforeAll(async () => {
  network = await createFakeServer()
  overlapping = watchOverlaps(network)
  database = await createTestDatabase()
  const env = { WHATSAPP_WS_URL: network.url, CONECTOR_PADRAO: 'whatsapp' }
  forwarders = [await startForwarder(database), await startForwarder(database)]
  fleet = await startProcesses({ databaseUrl: (n) => forwarders[n]?.url ?? '', size: 2, env })
  lines = []
  while (lines.length < BOTS) lines.push(await givenLine(network, { node: nodeAt(0), owner: database.owner }))
})
afterAll(async () => {
  await fleet?.close()
  await network?.close()
  for (const forwarder of forwarders ?? []) forwarder.close()
  await database?.drop()
})

function nodeAt(n: number): NodeProcess {
  const node = fleet.nodes[n]
  if (node === undefined) throw new Error(`no node ${n}`)
  return node
}

const readBy = ({ received }: FakeCustomer): string[] => received.map(({ text }) => text)
const holder = ({ shop }: Line): Promise<NodeProcess> => waitUntil(() => holderOf({ ...fleet, database }, shop.contaId))
const firstLine = (): Line => {
  const [line] = lines
  if (line === undefined) throw new Error('no line')
  return line
}

async function heal(): Promise<void> {
  for (const node of fleet.nodes) if (!node.running()) await node.start()
}

/** The answers to `TEXTS` without a fault. */
async function expectedAnswers(): Promise<string[]> {
  const { phone } = firstLine()
  const customer = newCustomer(network)
  for (const text of TEXTS) await customer.say(phone, text)
  await customer.nth(TEXTS.length + 2)
  return readBy(customer)
}

describe('kill -9 of a node with lines to WhatsApp', () => {
  it('opens all its lines on the other node within 30 s, each once', async () => {
    const dying = await holder(firstLine())
    overlapping.clear()
    await dying.kill()
    const killedAt = performance.now()
    for (const { phone } of lines) await waitUntil(() => isOpen(phone))
    expect(performance.now() - killedAt).toBeLessThan(BACK_MS)
    expect([...overlapping]).toEqual([])
  })

  const points = [...JOURNAL_CRASH_POINTS, 'entrada.recebida', 'entrada.apos-commit', 'saida.enviada', 'saida.marcada']
  longIt?.for(points)('loses and repeats no message at %s', async (point) => {
    await heal()
    const line = firstLine()
    const expected = await expectedAnswers()
    const dying = await holder(line)
    const other = fleet.nodes.find((node) => node !== dying)
    if (other === undefined) throw new Error('a fleet of two has two nodes')
    // The node that starts with the crash point gets the bot when the other one ends.
    await other.terminate()
    await other.start({ FALHA: `${point}:${1 + Math.floor(random() * 6)}` })
    await dying.terminate()
    await waitUntil(async () => (await holderOf({ ...fleet, database }, line.shop.contaId)) === other)
    await dying.start()
    await waitUntil(() => isOpen(line.phone))
    const writing = [newCustomer(network), newCustomer(network), newCustomer(network)]
    for (const text of TEXTS) for (const customer of writing) await customer.say(line.phone, text)
    for (const customer of writing) {
      await customer.nth(expected.length)
      expect(readBy(customer)).toEqual(expected)
      expect(new Set(customer.received.map(({ id }) => id)).size).toBe(expected.length)
    }
    await other.kill()
  })
})

longDescribe?.('a node that loses only the database', () => {
  it('closes its lines before another node opens them', async () => {
    await heal()
    const line = firstLine()
    const cutOff = await holder(line)
    const forwarder = forwarders[fleet.nodes.indexOf(cutOff)]
    overlapping.clear()
    const closed = new Promise<number>((resolve) => network.events.once('caiu', () => resolve(performance.now())))
    const cutAt = performance.now()
    forwarder?.cut()
    expect((await closed) - cutAt).toBeLessThan(CLOSED_MS + SLOW_MACHINE_MS)
    const taken = async (): Promise<boolean> =>
      ![cutOff, null].includes(await holderOf({ ...fleet, database }, line.shop.contaId))
    await waitUntil(taken)
    await waitUntil(() => isOpen(line.phone))
    forwarder?.mend()
    const customer = newCustomer(network)
    await customer.say(line.phone, 'oi')
    await customer.nth(2)
    expect([...overlapping]).toEqual([])
  })
})
