import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectDirect, type EmbeddedServer, urlOf } from '@balcao/server/bench'
import { createApiClient } from '@balcao/e2e/api.ts'
import { at, loginToApi, until } from '@balcao/e2e/ready-conta.ts'
import { meterCpu, pause, percentile } from '../messages/meters.ts'
import { atMost, figure, type Line, type Section, shown } from '../report.ts'
import { start, type Started } from '../start.ts'

const BOTS = 100
const IDLE_S = 20
const SIZES = [1, 2, 4]
/** After new nodes the bots move and caches fill. */
const SETTLE_MS = 15_000
const TAKEOVERS = 2
const ADMIN = { email: 'admin@teste.local', senha: 'senha-do-admin-1' }
const PASSWORD = 'pao-quente-da-casa'

type Client = Awaited<ReturnType<typeof connectDirect>>

interface BenchFleet {
  /** Running nodes by name. */
  readonly nodes: Map<string, Started>
  readonly add: () => Promise<Started>
  readonly close: () => Promise<void>
}

function createFleet(server: EmbeddedServer): BenchFleet {
  const folders: string[] = []
  const nodes = new Map<string, Started>()
  return {
    nodes,
    add: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'balcao-bench-no-'))
      folders.push(folder)
      const name = `no${folders.length}`
      const node = await start(folder, {
        ...{ DATABASE_URL: urlOf(server), APP_SECRET: 'segredo-do-banco-de-provas-com-43-letras-ou-mais' },
        ...{ ADMIN_EMAIL: ADMIN.email, ADMIN_SENHA: ADMIN.senha, NO_NOME: name },
      })
      nodes.set(name, node)
      return node
    },
    close: async () => {
      for (const { child } of nodes.values()) await kill(child)
      for (const folder of folders) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** Creates contas whose bots are connected to the simulador. */
async function createBots({ url }: Started, count: number): Promise<void> {
  const { api: admin } = await loginToApi(url, ADMIN.email, ADMIN.senha)
  for (let n = 0; n < count; n += 1) {
    const email = `dona${n}@loja.test`
    await admin.post('/admin/usuarios', { nome: `Dona ${n}`, email, senha: PASSWORD, telefone: '', empresa: 'Padaria' })
    const token = String(at(await createApiClient(url).post('/auth/login', { email, senha: PASSWORD }), 'token'))
    const api = createApiClient(url, token)
    const config = Object(at(await api.get('/config'), 'config'))
    await api.put('/config', { ...config, whatsapp: { ...config.whatsapp, clientId: 'loja' } })
    await api.post('/bot/iniciar')
    await until(async () => (await api.status('POST', '/simulador/escanear')) === 200, 20)
  }
}

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

/** The cost of nodes whose bots have nothing to do. */
async function measureIdle(client: Client, size: number, dataDir: string): Promise<Line[]> {
  let notifications = 0
  const count = (): void => void (notifications += 1)
  client.on('notification', count)
  await client.query('listen balcao')
  const [cpu, before] = [meterCpu(dataDir), await read(client)]
  await pause(IDLE_S * 1_000)
  const [used, after] = [cpu().postgresS, await read(client)]
  client.off('notification', count)
  await client.query('unlisten balcao')
  const name = `${size} ${size === 1 ? 'process' : 'processes'}`
  const percent = (used / IDLE_S) * 100
  return [
    shown(`${name}: renewals of nodes a second`, figure((after.updates - before.updates) / IDLE_S)),
    shown(`${name}: WAL in ${IDLE_S} s`, figure((after.wal - before.wal) / 1_024, 'KiB')),
    shown(`${name}: notifications in ${IDLE_S} s`, figure(notifications)),
    atMost(`${name}: CPU of PostgreSQL, of one core`, percent, 5, '%'),
  ]
}

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

export async function measureFleet(server: EmbeddedServer, dataDir: string): Promise<Section[]> {
  const fleet = createFleet(server)
  const client = await connectDirect(server.target)
  try {
    const idle: Line[] = []
    for (const size of SIZES) {
      while (fleet.nodes.size < size) await fleet.add()
      const [first] = fleet.nodes.values()
      if (size === 1 && first !== undefined) await createBots(first, BOTS)
      await pause(SETTLE_MS)
      idle.push(...(await measureIdle(client, size, dataDir)))
    }
    const times: number[] = []
    for (let round = 0; round < TAKEOVERS; round += 1) times.push(...(await measureTakeover(client, fleet)))
    return [
      { titulo: `Nodes: idle, ${BOTS} bots of the simulador`, linhas: idle },
      {
        titulo: 'Nodes: takeover after kill -9',
        linhas: [
          shown('bots moved', figure(times.length)),
          shown('connected on another node, p50', figure(percentile(times, 50) / 1_000, 's')),
          atMost('connected on another node, slowest', Math.max(...times) / 1_000, 30, 's'),
        ],
        notas: [`The node with the most bots is killed ${TAKEOVERS} times, first of four nodes and then of three.`],
      },
    ]
  } finally {
    await client.end()
    await fleet.close()
  }
}
