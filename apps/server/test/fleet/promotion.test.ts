import { afterEach, describe, expect, it } from 'vitest'
import { type TestUser, waitUntil } from '#test/app.ts'
import { createSockets, type TestSocket } from '#test/realtime/sockets.ts'
import { customerSays } from '#test/builders.ts'
import { longDescribe, pause, SHORT } from './faults.ts'
import { givenShop, Ledger } from './ledger.ts'
import { createServerPair, type LocalServer, type ServerPair } from './local-server.ts'
import { at, type Processes, requireRunning, startProcesses } from './processes.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function startOnPair(size: number, { synchronous = true } = {}): Promise<{ pair: ServerPair; fleet: Processes }> {
  const pair = await createServerPair({ synchronous })
  open.push(pair.remove)
  const fleet = await startProcesses({ databaseUrl: pair.url, size })
  open.push(fleet.close)
  return { pair, fleet }
}

describe('promotion of a synchronous standby', () => {
  it('loses no message and writes nothing to the old primary that returns', async () => {
    const { pair, fleet } = await startOnPair(2)
    const [node] = fleet.nodes
    if (node === undefined) throw new Error('no process started')
    const shop = await givenShop(node)
    const before = await epochsOf(pair.primary)
    const windows = await Promise.all(fleet.nodes.map(({ url }) => openWindow(url, shop)))
    const ledger = new Ledger(fleet.urls)
    await ledger.burst([shop], { customers: 3, messages: 2 }).done
    const burst = ledger.burst([shop], { customers: 20, messages: 8, pauseMs: 200 })
    await expect.poll(burst.accepted).toBeGreaterThan(40)

    await pair.primary.crash()
    await pause(SHORT ? 1_000 : 5_000)
    await pair.standby.promote()
    const promotedAt = performance.now()
    const accepted = burst.accepted()
    await pair.primary.start()
    const left = await contentsOf(pair.primary)
    await expect.poll(burst.accepted).toBeGreaterThan(accepted)
    expect(performance.now() - promotedAt).toBeLessThan(30_000)

    await burst.done
    await ledger.exact()
    // Events cross between the nodes again. A window that connects again meanwhile fetches instead.
    let customers = 0
    await waitUntil(async () => {
      customers += 1
      await customerSays(at(node, shop), `55119444400${String(customers).padStart(2, '0')}`, 'atendente')
      await pause(300)
      return windows.every(({ received }) => received.some(([name]) => name === 'novaConversaHumana'))
    })
    expect(await contentsOf(pair.primary)).toEqual(left)
    requireRunning(fleet)
    const after = await epochsOf(pair.standby)
    for (const [n, { no, epoca }] of after.entries()) {
      const old = before[n]
      if (old?.no !== no) expect(epoca).toBeGreaterThan(old?.epoca ?? 0)
    }
  })
})

describe('a commit whose wait for the standby ends without it', () => {
  it('is not acknowledged, so the promotion loses no message', async () => {
    const { pair, fleet } = await startOnPair(1)
    const [node] = fleet.nodes
    if (node === undefined) throw new Error('no process started')
    const ledger = new Ledger(fleet.urls)
    const burst = ledger.burst([await givenShop(node)], { customers: 5, messages: 6, pauseMs: 100 })
    await expect.poll(burst.accepted).toBeGreaterThan(5)
    await pair.standby.crash()
    const admin = await pair.primary.connect('postgres')
    let cancelled = 0
    await waitUntil(async () => {
      const sql = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
      cancelled += (await admin.query(sql)).rowCount ?? 0
      return cancelled > 20
    })
    await admin.end()
    await pair.primary.crash()
    await pair.standby.start()
    await pair.standby.promote()
    await burst.done
    await ledger.exact()
    requireRunning(fleet)
  })
})

longDescribe?.('promotion of an asynchronous standby', () => {
  it('loses only messages of the lag, and fences no bot with an earlier number', async () => {
    const { pair, fleet } = await startOnPair(2, { synchronous: false })
    const [node] = fleet.nodes
    if (node === undefined) throw new Error('no process started')
    const shop = await givenShop(node)
    const ledger = new Ledger(fleet.urls)
    const burst = ledger.burst([shop], { customers: 20, messages: 8, pauseMs: 200 })
    await expect.poll(burst.accepted).toBeGreaterThan(40)
    const replicated = [...ledger.acceptedIds()]
    await pause(500)
    pair.standby.signal('SIGSTOP')
    await pause(1_000)
    // The bot moves on the primary only, so the standby does not have its new number.
    const [first] = await epochsOf(pair.primary)
    await node.kill()
    await expect.poll(async () => (await epochsOf(pair.primary))[0]?.no, { interval: 500 }).not.toBe(first?.no)
    const [before] = await epochsOf(pair.primary)
    await pair.primary.crash()
    pair.standby.signal('SIGCONT')
    await pair.standby.promote()
    await burst.done
    const client = await pair.standby.connect()
    const { rows } = await client.query<{ id: string }>(
      'select id_externo as id from mensagens where id_externo = any ($1)',
      [replicated],
    )
    await client.end()
    expect(rows.map(({ id }) => id).toSorted()).toEqual(replicated.toSorted())
    const epoch = async (): Promise<number> => (await epochsOf(pair.standby))[0]?.epoca ?? 0
    await expect.poll(epoch).toBeGreaterThan(before?.epoca ?? 0)
    requireRunning({ ...fleet, nodes: fleet.nodes.slice(1) })
  })
})

async function openWindow(url: string, user: TestUser): Promise<TestSocket> {
  const sockets = createSockets(url)
  open.push(async () => sockets.close())
  const window = await sockets.connect(user)
  // As the panel does: a login that could not be read during the outage is tried again.
  window.socket.on('connect_error', () => void setTimeout(() => window.socket.connect(), 500))
  return window
}

async function epochsOf(server: LocalServer): Promise<{ readonly no: string; readonly epoca: number }[]> {
  const client = await server.connect()
  const { rows } = await client.query<{ no: string; epoca: number }>('select no, epoca from bots order by conta_id')
  await client.end()
  return rows
}

/** Number of messages, the leases, and the rows that running nodes renew. */
async function contentsOf(server: LocalServer): Promise<unknown> {
  const client = await server.connect()
  const { rows } = await client.query(`select (select count(*) from mensagens) as mensagens,
    (select json_agg(b order by conta_id) from bots b) as bots, (select json_agg(n order by id) from nos n) as nos`)
  await client.end()
  return rows
}
