import { afterAll, beforeAll, expect } from 'vitest'
import { databaseUrl } from '#test/bot/program.ts'
import { type TestUser, waitUntil } from '#test/app.ts'
import { chatOf, customerSays } from '#test/builders.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { createFakeGemini, type FakeGemini, VALID_KEY } from '#test/ia/fake-gemini.ts'
import { longIt } from './faults.ts'
import { holderOf } from './fixture.ts'
import { givenShop } from './ledger.ts'
import { at, type Processes, startProcesses } from './processes.ts'

/** Time until a dead node is condemned, and a second for its bots to start elsewhere. */
const BACK_MS = 12_000
/** Tests share two cores. */
const SLOW_MACHINE_MS = 5_000

let gemini: FakeGemini
let database: TestDatabase
let fleet: Processes
let shop: TestUser
beforeAll(async () => {
  gemini = await createFakeGemini()
  database = await createTestDatabase()
  const env = { GEMINI_BASE_URL: gemini.url }
  fleet = await startProcesses({ databaseUrl: databaseUrl(database), size: 2, env })
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  shop = await givenShop(node, (config) => ({
    ...config,
    gemini: { ...config.gemini, apiKey: VALID_KEY },
    ia: { ...config.ia, ativa: true, apiKey: VALID_KEY, esperaSegundos: 0 },
  }))
})
afterAll(async () => {
  await fleet?.close()
  await database?.drop()
  await gemini?.close()
})

longIt?.('a question is answered once, within 12 s after the node that asked it died', async () => {
  for (const node of fleet.nodes) if (!node.running()) await node.start()
  // The first answer never comes, so the node dies while it waits.
  gemini.answerNext({ tipo: 'nunca' })
  const asking = await waitUntil(() => holderOf({ ...fleet, database }, shop.contaId))
  const other = fleet.nodes.find((node) => node !== asking)
  if (other === undefined) throw new Error('a fleet of two has two nodes')
  await customerSays(at(other, shop), '5511933330001', 'oi', 'quanto custa o bolo?')
  await waitUntil(() => gemini.requests.length === 1)
  await asking.kill()
  const killedAt = performance.now()
  const answers = async (): Promise<number> =>
    (await chatOf(at(other, shop), '5511933330001')).filter(({ texto }) => texto.startsWith('ECO')).length
  await waitUntil(async () => (await answers()) > 0)
  expect(performance.now() - killedAt).toBeLessThan(BACK_MS + SLOW_MACHINE_MS)
  await asking.start()
  expect(await answers()).toBe(1)
})
