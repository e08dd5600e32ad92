import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type TestUser, waitUntil } from '#test/app.ts'
import { createSockets } from '#test/realtime/sockets.ts'
import { databaseUrl } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { givenShop, Ledger } from './ledger.ts'
import { SHORT } from './faults.ts'
import { type Processes, startProcesses } from './processes.ts'
import { type Proxy, startProxy } from './proxy.ts'

/** The proxy checks the nodes every 200 ms. A leaving node waits until it receives no request. */
const env = { PARADA_ESPERA_S: '1', DRENAGEM_S: '10' }
/** A bot that moves is away for at most this long. */
const GAP_MS = 5_000
/** Tests share two cores. */
const SLOW_MACHINE_MS = 3_000
const SIZE = SHORT ? 2 : 3
const SHOPS = SHORT ? 2 : 6

let database: TestDatabase
let fleet: Processes
let proxy: Proxy
let shops: TestUser[]
beforeAll(async () => {
  database = await createTestDatabase()
  fleet = await startProcesses({ databaseUrl: databaseUrl(database), size: SIZE, env })
  proxy = await startProxy({ urls: () => fleet.nodes.map(({ url }) => url) })
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  shops = []
  while (shops.length < SHOPS) shops.push(await givenShop(node))
})
afterAll(async () => {
  await proxy?.close()
  await fleet?.close()
  await database?.drop()
})

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

it('a rolling restart behind a proxy refuses no request and loses no message', async () => {
  const ledger = new Ledger(() => [proxy.url])
  const burst = ledger.burst(shops, { customers: 6, messages: 12, pauseMs: SHORT ? 500 : 1_000 })
  const sockets = createSockets(proxy.url)
  closing.push(sockets.close)
  const { socket } = await sockets.connect(shops[0] ?? { token: '' })
  for (const node of fleet.nodes) {
    expect(await node.terminate()).toBe(0)
    await node.start()
    await waitUntil(() => proxy.ready().includes(node.url))
  }
  await burst.done
  await ledger.exact()
  expect(burst.refused()).toEqual([])
  expect(burst.slowestMs()).toBeLessThan(GAP_MS + SLOW_MACHINE_MS)
  await waitUntil(() => socket.connected)
})
