import { connectDirect } from '@balcao/server/bench'
import { until } from '@balcao/e2e/ready-conta.ts'
import { pause, percentile } from '../messages/meters.ts'
import { atMost, figure, type Line, type Section, shown } from '../report.ts'
import { measureIdle, SETTLE_MS } from './idle.ts'
import { type BenchFleet, type BenchServer, createBots, createFleet, kill } from './processes.ts'

const BOTS = 100
const IDLE_S = 20
const SIZES = [1, 2, 4]
const TAKEOVERS = 2

type Client = Awaited<ReturnType<typeof connectDirect>>

const HOLDERS_SQL = `select b.conta_id as conta, n.nome from bots b join nos n on n.id::text = b.no::text
  where b.desejado and b.status = 'CONECTADO' and n.morto_em is null`

/** The name of the node of each conta. */
async function holders(client: Client): Promise<Map<string, string>> {
  const { rows } = await client.query<{ conta: string; nome: string }>(HOLDERS_SQL)
  return new Map(rows.map(({ conta, nome }) => [conta, nome]))
}

/** Kills the node with the most bots. Times until each of its bots is connected on another node. */
async function measureTakeover(client: Client, { nodes }: BenchFleet): Promise<readonly number[]> {
  await until(async () => (await holders(client)).size === BOTS)
  const before = await holders(client)
  const counts = Map.groupBy(before.values(), (name) => name)
  const [[largest] = ['']] = [...counts].toSorted(([, a], [, b]) => b.length - a.length)
  const dying = nodes.get(largest)
  if (dying === undefined) throw new Error('no node has bots')
  await kill(dying.child)
  nodes.delete(largest)
  const killedAt = performance.now()
  const times = new Map<string, number>()
  const waiting = [...before].flatMap(([conta, name]) => (name === largest ? [conta] : []))
  await until(async () => {
    const now = await holders(client)
    for (const conta of waiting) {
      const name = now.get(conta)
      if (name !== undefined && name !== largest && !times.has(conta)) times.set(conta, performance.now() - killedAt)
    }
    return times.size === waiting.length
  }, 20)
  return [...times.values()]
}

export async function measureFleet({ server, dataDir }: BenchServer): Promise<Section[]> {
  const fleet = createFleet(server)
  const client = await connectDirect(server.target)
  try {
    const idle: Line[] = []
    for (const size of SIZES) {
      while (fleet.nodes.size < size) await fleet.add()
      if (size === 1) await createBots([...fleet.nodes.values()], BOTS)
      await pause(SETTLE_MS)
      idle.push(...(await measureIdle(client, { size, seconds: IDLE_S, dataDir })))
    }
    const times: number[] = []
    for (let round = 0; round < TAKEOVERS; round += 1) times.push(...(await measureTakeover(client, fleet)))
    return [
      { title: `Nodes: idle, ${BOTS} bots of the simulador`, lines: idle },
      {
        title: 'Nodes: takeover after kill -9',
        lines: [
          shown('bots moved', figure(times.length)),
          shown('connected on another node, p50', figure(percentile(times, 50) / 1_000, 's')),
          atMost('connected on another node, slowest', Math.max(...times) / 1_000, 30, 's'),
        ],
        notes: [`The node with the most bots is killed ${TAKEOVERS} times, first of four nodes and then of three.`],
      },
    ]
  } finally {
    await client.end()
    await fleet.close()
  }
}
