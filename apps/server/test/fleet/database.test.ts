import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestUser } from '#test/app.ts'
import { longIt, pause, SHORT } from './faults.ts'
import { givenShop, Ledger } from './ledger.ts'
import { createLocalServer, type LocalServer } from './local-server.ts'
import { type Processes, requireRunning, startProcesses } from './processes.ts'

let server: LocalServer
let fleet: Processes
let shop: TestUser
let ledger: Ledger
beforeAll(async () => {
  server = await createLocalServer()
  await server.start()
  fleet = await startProcesses({ databaseUrl: server.url, size: 2 })
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  shop = await givenShop(node)
  ledger = new Ledger(fleet.urls)
})
afterAll(async () => {
  await fleet?.close()
  await server?.remove()
})

const burst = () => ledger.burst([shop], { customers: 10, messages: 8, pauseMs: 100 })

describe('a database that fails under load', () => {
  it('costs no message when the server ends without a checkpoint and starts again', async () => {
    for (let round = 0; round < (SHORT ? 1 : 5); round += 1) {
      const writing = burst()
      await expect.poll(writing.accepted).toBeGreaterThan(20)
      await server.stopImmediately()
      await pause(500)
      await server.start()
      await writing.done
      await ledger.exact()
    }
    requireRunning(fleet)
  })

  it('costs no message and moves no bot when the server stands still for 4 s', async () => {
    const before = await leases()
    const writing = burst()
    await expect.poll(writing.accepted).toBeGreaterThan(20)
    server.signal('SIGSTOP')
    await pause(4_000)
    server.signal('SIGCONT')
    await writing.done
    await ledger.exact()
    expect(await leases()).toEqual(before)
    requireRunning(fleet)
  })

  longIt?.('brings all bots back within 60 s when the server stood still for 30 s', async () => {
    const writing = burst()
    await expect.poll(writing.accepted).toBeGreaterThan(20)
    server.signal('SIGSTOP')
    await pause(30_000)
    server.signal('SIGCONT')
    const continuedAt = performance.now()
    await writing.done
    await ledger.exact()
    expect(performance.now() - continuedAt).toBeLessThan(60_000)
    requireRunning(fleet)
  })
})

async function leases(): Promise<unknown> {
  const client = await server.connect()
  const { rows } = await client.query('select conta_id, no, epoca from bots order by conta_id')
  await client.end()
  return rows
}
