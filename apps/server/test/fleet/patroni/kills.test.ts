import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type TestUser, waitUntil } from '#test/app.ts'
import { createFakeMeta, type FakeMeta } from '#test/oficial/fake-meta.ts'
import { givenShop, Ledger } from '../ledger.ts'
import { type Processes, requireRunning, startProcesses } from '../processes.ts'
import { openWire, type Wire } from '../wire.ts'
import { type Machine, type PatroniCluster, startPatroniCluster } from './cluster.ts'

/**
 * Nodes of the product on PostgreSQL under Patroni, as docs/operations/patroni.md sets it up, while primaries are killed
 * and cut off. Customers write through the simulador and people through a fake Meta API.
 */

const KILLS = Number(process.env['FALHAS_QUEDAS'] ?? 20)
const PARTITIONS = Number(process.env['FALHAS_CORTES'] ?? 5)
/** With the three hosts in DATABASE_URL instead of HAProxy. */
const KILLS_WITHOUT_PROXY = Math.min(KILLS, 4)
const BACK_S = 30
const LOAD = { customers: 8, messages: 6, pauseMs: 400 }
const SAMPLE_MS = 50
/** Accepted messages before a fault, and by the next primary. */
const ENOUGH = 20

type Fault = 'postgres' | 'patroni' | 'all' | 'cut' | 'cutFromOthers'
const TITLES: Readonly<Record<Fault, string>> = {
  postgres: 'kill -9 of PostgreSQL',
  patroni: 'kill -9 of Patroni',
  all: 'kill -9 of all programs of the machine',
  cut: 'machine cut off from everything',
  cutFromOthers: 'machine cut off from etcd and standbys, nodes still reach it',
}
const cycle = (faults: readonly Fault[], count: number): Fault[] =>
  Array.from({ length: count }, (_, n) => faults[n % faults.length] ?? 'all')

let cluster: PatroniCluster
let meta: FakeMeta
let fleet: Processes
let shop: TestUser
let ledger: Ledger
let wire: Wire
const table: string[] = []
beforeAll(async () => {
  cluster = await startPatroniCluster()
  meta = await createFakeMeta()
  fleet = await startProcesses({ databaseUrl: cluster.url, size: 2, env: { WHATSAPP_CLOUD_BASE_URL: meta.url } })
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  shop = await givenShop(node)
  ledger = new Ledger(fleet.urls)
  wire = await openWire(fleet, meta)
})
afterAll(async () => {
  process.stdout.write(`${['event; from; to; seconds; messages; lost; copies', ...table].join('\n')}\n`)
  await wire?.close()
  await fleet?.close()
  await meta?.close()
  await cluster?.remove()
})

/** Customers and people write until the returned function is called. */
function writeOn(): () => Promise<void> {
  let writing = true
  const customers = async (): Promise<void> => {
    while (writing) await ledger.burst([shop], LOAD).done
  }
  const done = customers()
  const stopPeople = wire.write(LOAD.pauseMs)
  return async () => {
    writing = false
    await Promise.all([done, stopPeople()])
  }
}

/** Samples the number of accepted messages. Returns the longest time without a new one, in ms. */
function watchGaps(): () => number {
  let [count, since, longest] = [ledger.acceptedIds().length, performance.now(), 0]
  const timer = setInterval(() => {
    const now = performance.now()
    longest = Math.max(longest, now - since)
    if (ledger.acceptedIds().length === count) return
    ;[count, since] = [ledger.acceptedIds().length, now]
  }, SAMPLE_MS)
  return () => {
    clearInterval(timer)
    return longest
  }
}

const accepted = (more: number): Promise<unknown> => {
  const before = ledger.acceptedIds().length
  return waitUntil(() => ledger.acceptedIds().length >= before + more, 90_000)
}

function strike(machine: Machine, fault: Fault): void {
  if (fault === 'cut') machine.cut()
  else if (fault === 'cutFromOthers') machine.cutFromOthers()
  else machine.kill(fault)
}

/** A fault of the primary under load, until the old primary follows the new one. */
async function play(fault: Fault): Promise<void> {
  const old = await cluster.healthy()
  const stop = writeOn()
  await accepted(ENOUGH)
  const gaps = watchGaps()
  strike(old, fault)
  const next = await waitUntil(() => cluster.leader(old))
  const fenced = !(await old.writable())
  await accepted(ENOUGH)
  const seconds = gaps() / 1_000
  old.mend()
  old.start()
  await cluster.healthy()
  await stop()
  const stored = await storedCounts()
  const sent = await wire.check()
  const [lost, copies] = [stored.lost + sent.lost, stored.copies + sent.copies]
  const messages = ledger.acceptedIds().length + wire.acknowledged.length
  table.push([TITLES[fault], old.name, next.name, seconds.toFixed(1), messages, lost, copies].join('; '))
  expect({ lost, copies }).toEqual({ lost: 0, copies: 0 })
  await ledger.exact()
  expect(seconds).toBeLessThan(BACK_S)
  // Without Patroni PostgreSQL runs on. It acknowledges nothing, because no standby follows it.
  if (fault !== 'patroni') expect(fenced).toBe(true)
  requireRunning(fleet)
}

/** Of all accepted messages of customers. */
async function storedCounts(): Promise<{ readonly lost: number; readonly copies: number }> {
  const client = await cluster.connect()
  const { rows } = await client.query<{ lost: number; copies: number }>(
    `select count(*) filter (where n = 0)::int as lost, coalesce(sum(n - 1) filter (where n > 1), 0)::int as copies
     from (select (select count(*) from mensagens m where m.id_externo = i.id) as n from unnest($1::text[]) as i (id)) s`,
    [ledger.acceptedIds()],
  )
  await client.end()
  return rows[0] ?? { lost: -1, copies: -1 }
}

describe('a primary under Patroni', () => {
  it.for(cycle(['postgres', 'patroni', 'all'], KILLS))('loses no acknowledged message at kill -9 of %s', play)

  it.for(cycle(['cut', 'cutFromOthers'], PARTITIONS))('loses no acknowledged message when it is %s', play)
})

describe('a primary under Patroni, without HAProxy', () => {
  beforeAll(async () => {
    await cluster.healthy()
    for (const node of fleet.nodes) {
      await node.terminate()
      await node.start({ DATABASE_URL: cluster.urlOfHosts })
    }
  })

  it.for(cycle(['postgres', 'all', 'cut', 'patroni'], KILLS_WITHOUT_PROXY))('loses no acknowledged message at %s', play)
})
