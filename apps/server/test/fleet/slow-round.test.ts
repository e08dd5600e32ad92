import { expect } from 'vitest'
import type { Database } from '#db/transaction.ts'
import { createFleet } from '#test/nodes/fleet.ts'
import { waitUntil } from '#test/app.ts'
import { longIt, pause } from './faults.ts'

const LEASE_MS = 10_000

longIt?.('a renewal that waited a whole lease for a connection condemns no node', async () => {
  const fleet = await createFleet(0)
  let connection: Promise<unknown> = Promise.resolve()
  const transaction: Database['transaction'] = async (...work) => {
    await connection
    return fleet.database.db.transaction(...work)
  }
  const { app } = await fleet.start({ reservedDb: { ...fleet.database.db, transaction }, nodeRoundMs: 2_000 })
  await app.sql(`insert into nos (id, nome, versao, node, iniciado_em, visto_em, memoria, cpu, expira)
    values (gen_random_uuid(), 'atrasado', 'v', 'v', now(), now(), 0, 0, now() + interval '5 seconds')`)
  connection = pause(LEASE_MS + 3_000)
  await connection
  const [{ agora } = { agora: null }] = await app.sql('select clock_timestamp() as agora')
  const renewed = 'select 1 from nos where nome <> $1 and visto_em > $2'
  await waitUntil(async () => (await app.sql(renewed, ['atrasado', agora])).length > 0)
  expect(await app.sql('select 1 from nos where morto_em is not null')).toEqual([])
  await fleet.close()
})
