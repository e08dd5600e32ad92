import { afterAll, beforeAll, expect, it } from 'vitest'
import { uuidTime } from '#lib/time.ts'
import { databaseUrl } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { seriesIn } from '#test/metrics.ts'
import { givenShop, Ledger } from './ledger.ts'
import { type Processes, startProcesses } from './processes.ts'

const SHIFTS_MS = [3_600_000, -5_000]
const TOLERANCE_MS = 2_000

let database: TestDatabase
let fleet: Processes
beforeAll(async () => {
  database = await createTestDatabase()
  fleet = await startProcesses({ databaseUrl: databaseUrl(database), size: 0 })
  for (const ms of SHIFTS_MS) await fleet.add({ RELOGIO_MS: String(ms) })
})
afterAll(async () => {
  await fleet?.close()
  await database.drop()
})

it('keeps order and time of messages while the clocks of two processes differ by an hour', async () => {
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  const since = await databaseTime()
  const ledger = new Ledger(fleet.urls)
  await ledger.burst([await givenShop(node)], { customers: 30, messages: 5 }).done
  await ledger.exact()
  const until = await databaseTime()
  const { rows } = await database.owner.query<{ id: string; criada_em: Date }>('select id, criada_em from mensagens')
  const times = rows.flatMap(({ id, criada_em: at }) => [uuidTime(id), at.getTime()])
  expect(times.length).toBeGreaterThan(0)
  expect(times.filter((at) => at < since - TOLERANCE_MS || at > until + TOLERANCE_MS)).toEqual([])
  for (const [index, { url }] of fleet.nodes.entries()) {
    const metrics = await (await fetch(`${url}/metrics`)).text()
    const ahead = seriesIn(metrics, 'balcao_relogio_desvio_segundos') ?? 0
    expect(Math.abs(ahead * 1_000 - (SHIFTS_MS[index] ?? 0))).toBeLessThan(TOLERANCE_MS)
  }
})

async function databaseTime(): Promise<number> {
  const { rows } = await database.owner.query<{ agora: Date }>('select clock_timestamp() as agora')
  return rows[0]?.agora.getTime() ?? 0
}
