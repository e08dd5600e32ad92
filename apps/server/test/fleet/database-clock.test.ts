import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { databaseUrl } from '#test/bot/program.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import type { TestUser } from '#test/app.ts'
import { pause } from './faults.ts'
import { givenShop, Ledger } from './ledger.ts'
import { type Processes, requireRunning, startProcesses } from './processes.ts'

/** A lease of a node and its margins. After this long a node may condemn others. */
const LEASE_MS = 12_000

/** Functions that hide those of PostgreSQL for all connections of one database. */
const OWN_CLOCK_SQL = `
create schema relogio;
create table relogio.desvio (por interval not null);
insert into relogio.desvio values ('0');
create function relogio.clock_timestamp() returns timestamptz language sql volatile
  as 'select pg_catalog.clock_timestamp() + por from relogio.desvio';
create function relogio.now() returns timestamptz language sql stable
  as 'select pg_catalog.now() + por from relogio.desvio';
grant usage on schema relogio to public;
grant select on relogio.desvio to public`

let database: TestDatabase
let fleet: Processes
let shop: TestUser
let ledger: Ledger
beforeAll(async () => {
  database = await createTestDatabase()
  await database.owner.query(OWN_CLOCK_SQL)
  await database.owner.query(`do $$ begin
    execute format('alter database %I set search_path = public, relogio, pg_catalog', current_database()); end $$`)
  fleet = await startProcesses({ databaseUrl: databaseUrl(database), size: 2 })
  const [node] = fleet.nodes
  if (node === undefined) throw new Error('no process started')
  // A menu that expires would answer in another way after an hour.
  shop = await givenShop(node, (config) => ({ ...config, menu: { ...config.menu, expiraEmMinutos: 1_440 } }))
  ledger = new Ledger(fleet.urls)
})
afterAll(async () => {
  await fleet?.close()
  await database?.drop()
})

async function state(): Promise<unknown> {
  const bots = await database.owner.query('select conta_id, no, epoca, status from bots order by conta_id')
  const nodes = await database.owner.query('select id, morto_em from nos order by id')
  return { bots: bots.rows, nodes: nodes.rows }
}

describe('the time of the database is set', () => {
  it.for([
    { name: 'an hour ahead', ahead: '1 hour' },
    { name: 'back again', ahead: '0' },
    { name: 'an hour back', ahead: '-1 hour' },
  ])('condemns no node, moves no bot and loses no message: $name', async ({ ahead }) => {
    // Each node has judged the others for a whole lease.
    await pause(LEASE_MS)
    const before = await state()
    const burst = ledger.burst([shop], { customers: 10, messages: 8, pauseMs: 300 })
    await expect.poll(burst.accepted).toBeGreaterThan(10)
    await database.owner.query('update relogio.desvio set por = $1', [ahead])
    await burst.done
    await ledger.exact()
    await pause(LEASE_MS)
    expect(await state()).toEqual(before)
    const { rows } = await database.owner.query(
      `select bool_and(abs(extract(epoch from visto_em - pg_catalog.clock_timestamp() - $1::interval)) < 60) as moved
       from nos`,
      [ahead],
    )
    expect(rows).toEqual([{ moved: true }])
    requireRunning(fleet)
    for (const node of fleet.nodes) expect(node.output()).not.toMatch(/found dead|sessions closed|session closed/)
  })
})
