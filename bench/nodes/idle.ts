import { connectDirect } from '@balcao/server/bench'
import { meterCpu, pause } from '../messages/meters.ts'
import { atMost, exactly, figure, type Line, type Section, shown } from '../report.ts'
import { createBots, createFleet, withServer } from './processes.ts'

/** After new nodes the bots move and caches fill. */
export const SETTLE_MS = 15_000
const LARGE_FLEET = 20
const LARGE_FLEET_S = 60
const BOTS = 100

type Client = Awaited<ReturnType<typeof connectDirect>>

interface Reading {
  readonly wal: number
  readonly updates: number
}

async function read(client: Client): Promise<Reading> {
  const { rows } = await client.query<{ wal: number; updates: number }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as wal,
       (select n_tup_upd from pg_stat_user_tables where relname = 'nos')::float8 as updates`,
  )
  return rows[0] ?? { wal: 0, updates: 0 }
}

interface IdleOptions {
  readonly size: number
  readonly seconds: number
  readonly dataDir: string
}

/** The cost of nodes whose bots have nothing to do. */
export async function measureIdle(client: Client, { size, seconds, dataDir }: IdleOptions): Promise<Line[]> {
  let notifications = 0
  const count = (): void => void (notifications += 1)
  client.on('notification', count)
  await client.query('listen balcao')
  const [cpu, before] = [meterCpu(dataDir), await read(client)]
  await pause(seconds * 1_000)
  const [used, after] = [cpu().postgresS, await read(client)]
  client.off('notification', count)
  await client.query('unlisten balcao')
  const name = `${size} ${size === 1 ? 'process' : 'processes'}`
  const percent = (used / seconds) * 100
  return [
    shown(`${name}: renewals of nodes a second`, figure((after.updates - before.updates) / seconds)),
    shown(`${name}: WAL in ${seconds} s`, figure((after.wal - before.wal) / 1_024, 'KiB')),
    exactly(`${name}: notifications in ${seconds} s`, notifications, 0),
    atMost(`${name}: CPU of PostgreSQL, of one core`, percent, 5, '%'),
  ]
}

/** Twenty processes on a new database. The bots start evenly, so that none moves during the measurement. */
export function measureIdleFleet(): Promise<Section[]> {
  return withServer({ max_connections: '400' }, async ({ server, dataDir }) => {
    const fleet = createFleet(server, { DB_CONEXOES: '4' })
    const client = await connectDirect(server.target)
    try {
      while (fleet.nodes.size < LARGE_FLEET) await fleet.add()
      await createBots([...fleet.nodes.values()], BOTS)
      await pause(SETTLE_MS)
      const lines = await measureIdle(client, { size: LARGE_FLEET, seconds: LARGE_FLEET_S, dataDir })
      return [{ title: `Nodes: ${LARGE_FLEET} processes idle, ${BOTS} bots of the simulador`, lines }]
    } finally {
      await client.end()
      await fleet.close()
    }
  })
}
