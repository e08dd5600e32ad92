import { afterEach, describe, expect, it } from 'vitest'
import { createFakeServer, type FakeCustomer } from '@balcao/whatsapp/rede-falsa'
import { waitUntil } from '#test/app.ts'
import { pause } from '#test/fleet/faults.ts'
import { createServerPair } from '#test/fleet/local-server.ts'
import { requireRunning, startProcesses } from '#test/fleet/processes.ts'
import { givenLine, isOpen, type Line, newCustomer, watchOverlaps } from './lines.ts'

const LINES = 4
const BACK_MS = 30_000

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

const readBy = ({ received }: FakeCustomer): string[] => received.map(({ text }) => text)

describe('promotion of a synchronous standby', () => {
  // After 5 s without a database the nodes are silent and the lines open. After 12 s all lines are closed.
  it.for([5_000, 12_000])('never opens two lines of one phone and answers, %i ms after the crash', async (ms) => {
    const network = await createFakeServer()
    open.push(network.close)
    const overlapping = watchOverlaps(network)
    const pair = await createServerPair()
    open.push(pair.remove)
    const env = { WHATSAPP_WS_URL: network.url, CONECTOR_PADRAO: 'whatsapp' }
    const fleet = await startProcesses({ databaseUrl: pair.url, size: 2, env })
    open.push(fleet.close)
    const [node] = fleet.nodes
    if (node === undefined) throw new Error('no process started')
    const owner = await pair.primary.connect()
    const lines: Line[] = []
    while (lines.length < LINES) lines.push(await givenLine(network, { node, owner }))
    await owner.end().catch(() => undefined)
    const writing = lines.map((line) => ({ ...line, customer: newCustomer(network) }))
    for (const { customer, phone } of writing) await customer.say(phone, 'oi')
    await Promise.all(writing.map(({ customer }) => customer.nth(2)))
    overlapping.clear()

    await pair.primary.crash()
    await pause(ms)
    await pair.standby.promote()
    const promotedAt = performance.now()
    await pair.primary.start()
    for (const { customer, phone } of writing) await customer.say(phone, '4')
    await Promise.all(writing.map(({ customer }) => customer.nth(3)))
    for (const { phone } of lines) await waitUntil(() => isOpen(phone))
    expect(performance.now() - promotedAt).toBeLessThan(BACK_MS)
    // A second line would open while the nodes still look at both servers.
    await pause(3_000)
    expect([...overlapping]).toEqual([])
    for (const { customer } of writing) expect(readBy(customer)).toHaveLength(3)
    requireRunning(fleet)
  })
})
