import { afterEach, describe, expect, it } from 'vitest'
import { listTables } from '#db/backup/read-tables.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { nodesJob } from '#modules/nos/index.ts'
import type { LeaderTask } from '#ports/bus.ts'
import { waitUntil } from '#test/app.ts'
import { createFleet, type FleetNode, type TestFleet } from './fleet.ts'

let fleet: TestFleet
const running: PeriodicTask[] = []
afterEach(async () => {
  for (const task of running.splice(0)) await task.stop()
  await fleet.close()
})

/** Runs a task of 50 ms on a node. Returns how many rounds the node did. */
function runOn({ app }: FleetNode, { work = () => Promise.resolve(), ms = 50 } = {}): () => number {
  let rounds = 0
  const task = async (): Promise<void> => {
    rounds += 1
    await work()
  }
  running.push(app.deps.leader.every({ name: 'teste', ms, firstMs: 0, task, failed: () => undefined }))
  return () => rounds
}

const leaderOf = async ({ database }: TestFleet): Promise<unknown> =>
  (await database.owner.query(`select no from tarefas where nome = 'teste'`)).rows[0]?.no

it('deletes large packets after a minute, which copies leave out', async () => {
  fleet = await createFleet(1)
  const { owner } = fleet.database
  await owner.query(
    `insert into recados (id, corpo, criado_em) values (gen_random_uuid(), 'velho', now() - interval '61 seconds'),
       (gen_random_uuid(), 'novo', now())`,
  )
  const { deps } = fleet.nodes[0]?.app ?? {}
  if (deps === undefined) throw new Error('no node')
  const tasks = new Map<string, LeaderTask['task']>()
  const every = ({ name, task }: LeaderTask): PeriodicTask => {
    tasks.set(name, task)
    return { wake: () => undefined, stop: () => Promise.resolve() }
  }
  nodesJob({ ...deps, leader: { every } }).start()
  await tasks.get('recados')?.()
  expect((await owner.query('select corpo from recados')).rows).toEqual([{ corpo: 'novo' }])
  const client = await owner.connect()
  expect((await listTables(client)).map(({ nome }) => nome)).not.toContain('recados')
  client.release()
})

describe('a task of the leader', () => {
  it('runs on one node, and on another one after that node left', async () => {
    fleet = await createFleet(2)
    const [a, b] = fleet.nodes
    if (a === undefined || b === undefined) throw new Error('no node')
    const rounds = new Map([a, b].map((node) => [node.id, runOn(node)]))
    await waitUntil(() => [...rounds.values()].some((count) => count() >= 5))
    const [first, second] = (await leaderOf(fleet)) === a.id ? [a, b] : [b, a]
    expect(rounds.get(second.id)?.()).toBe(0)
    await first.app.close()
    await waitUntil(() => (rounds.get(second.id)?.() ?? 0) >= 3)
    expect(await leaderOf(fleet)).toBe(second.id)
  })

  it('moves away from a condemned node, with an unfinished round', async () => {
    fleet = await createFleet(1)
    const [live] = fleet.nodes
    if (live === undefined) throw new Error('no node')
    await fleet.database.owner.query(
      `insert into tarefas (nome, no, periodo_s, comecou_em, feita_em)
       values ('teste', gen_random_uuid(), 3600, now(), now() - interval '1 second')`,
    )
    const rounds = runOn(live, { ms: 3_600_000 })
    await waitUntil(() => rounds() === 1)
    expect(await leaderOf(fleet)).toBe(live.id)
  })

  it('runs when its last start is in the future, because the clock of the database was set back', async () => {
    fleet = await createFleet(1)
    const [live] = fleet.nodes
    if (live === undefined) throw new Error('no node')
    await fleet.database.owner.query(
      `insert into tarefas (nome, no, periodo_s, comecou_em, feita_em)
       values ('teste', $1, 3600, now() + interval '1 hour', now() + interval '1 hour')`,
      [live.id],
    )
    const rounds = runOn(live, { ms: 3_600_000 })
    await waitUntil(() => rounds() === 1)
  })

  it('waits for its interval after a restart', async () => {
    fleet = await createFleet(1)
    const [live] = fleet.nodes
    if (live === undefined) throw new Error('no node')
    await fleet.database.owner.query(
      `insert into tarefas (nome, no, periodo_s, comecou_em, feita_em)
       values ('teste', gen_random_uuid(), 3600, now() - interval '1 minute', now())`,
    )
    const rounds = runOn(live, { ms: 3_600_000 })
    running[0]?.wake()
    await running[0]?.stop()
    expect(rounds()).toBe(0)
  })

  it('stores the kind of a failure without its text', async () => {
    fleet = await createFleet(1)
    const [live] = fleet.nodes
    if (live === undefined) throw new Error('no node')
    const read = async (): Promise<unknown> =>
      (await fleet.database.owner.query(`select erro from tarefas where nome = 'teste' and feita_em > comecou_em`))
        .rows[0]
    let fails = true
    const work = (): Promise<void> => (fails ? Promise.reject(new RangeError('5511999990000')) : Promise.resolve())
    runOn(live, { work })
    await expect.poll(read).toEqual({ erro: 'RangeError' })
    fails = false
    await expect.poll(read).toEqual({ erro: null })
  })
})
