import { readFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import { waitUntil } from '#test/app.ts'
import { pause } from './faults.ts'
import { givenShop, Ledger } from './ledger.ts'
import { createLocalServer } from './local-server.ts'
import { startProcesses } from './processes.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

const isStopped = (pid: number): boolean => /^State:\tT/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

describe('kill -9 inside a migration of an empty database', () => {
  it.for([1, 30])('is finished by the other node that starts, killed in migration %i', async (migration) => {
    const server = await createLocalServer()
    open.push(server.remove)
    await server.start()
    const fleet = await startProcesses({ databaseUrl: server.url, size: 0 })
    open.push(fleet.close)
    const died = fleet.add({ FALHA: `migracao.passo:${migration}:para` }).catch(String)
    const dying = await waitUntil(() => fleet.nodes[0] ?? null)
    await waitUntil(() => isStopped(dying.pid() ?? 0))
    const started = fleet.add()
    // The other process waits for the lock of the migrations.
    await pause(3_000)
    const client = await server.connect()
    const { rows } = await client.query('select 1 from migracoes')
    await client.end()
    expect(rows).toHaveLength(migration - 1)
    await dying.kill()
    const living = await started
    expect(await died).toContain('ended with SIGKILL')
    await dying.start({ FALHA: '' })
    const ledger = new Ledger(fleet.urls)
    await ledger.burst([await givenShop(living)], { customers: 5, messages: 3 }).done
    await ledger.exact()
  })
})
