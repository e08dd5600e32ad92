import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { openSync, readdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import * as z from 'zod/mini'
import { databaseUser, type SystemUser } from '#db/embedded/place.ts'
import { waitUntil } from '#test/app.ts'
import { freePort } from '#test/bot/program.ts'
import { DATABASE_FOLDER } from '#test/database-folder.ts'
import { requirePackages } from '../debian.ts'
import { processesIn, signalIfAlive } from '../local-server.ts'
import { createNetwork, type Place } from './network.ts'
import { CREATE_DATABASE, type MachineFiles, type Setup, writeSetup } from './setup.ts'

const run = promisify(execFile)
const POSTGRESQL = '/usr/lib/postgresql'
/** Of the set-up in docs/operations/patroni.md. */
const PACKAGES = {
  postgresql: POSTGRESQL,
  patroni: '/usr/bin/patroni',
  'python3-etcd': '/usr/lib/python3/dist-packages/etcd',
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  pgbackrest: '/usr/bin/pgbackrest',
  iproute2: '/usr/bin/ip',
}
const NAMES = ['pg1', 'pg2', 'pg3']
const ANSWER_MS = 2_000
/** A member may have to be copied from the new primary. */
const HEALTHY_MS = 180_000

const clusterSchema = z.object({
  members: z.array(
    z.object({
      name: z.string(),
      role: z.string(),
      state: z.string(),
      timeline: z.optional(z.number()),
    }),
  ),
})

/** A machine with PostgreSQL, Patroni and a member of etcd. */
export interface Machine extends Pick<Place, 'name' | 'address' | 'cut' | 'cutFromOthers' | 'mend'> {
  readonly files: MachineFiles
  /** Starts etcd and Patroni unless they run. */
  readonly start: () => void
  /** SIGKILL to these programs. `all`: also etcd. */
  readonly kill: (what: 'postgres' | 'patroni' | 'all') => void
  /** Ends PostgreSQL without a checkpoint, which frees its shared memory. */
  readonly stop: () => Promise<void>
  /** True: its PostgreSQL runs and accepts writes. Works also while the machine is cut off. */
  readonly writable: () => Promise<boolean>
  /** Runs a program on the machine as the user of the database, and returns its output. */
  readonly run: (program: string, ...args: readonly string[]) => Promise<string>
}

export interface PatroniCluster {
  readonly machines: readonly Machine[]
  /** Through HAProxy. */
  readonly url: string
  /** With the three hosts. */
  readonly urlOfHosts: string
  /** Folder of the programs of PostgreSQL. */
  readonly programs: string
  /** User of the database and of all services. */
  readonly user: SystemUser
  /** Of `postgres` and `balcao`. */
  readonly password: string
  /** The primary by Patroni's own account, or null. `except`: a machine that is not asked and does not count. */
  readonly leader: (except?: Machine) => Promise<Machine | null>
  /** Resolves with the primary when both others follow it, one of them synchronously. */
  readonly healthy: () => Promise<Machine>
  /** Connects to the primary as the superuser. The caller ends the connection. */
  readonly connect: (database?: string) => Promise<Client>
  readonly remove: () => Promise<void>
}

/** Starts the set-up of docs/operations/patroni.md, with an empty database `balcao`. Needs root. */
export async function startPatroniCluster(): Promise<PatroniCluster> {
  requirePackages(PACKAGES, 'para separar as redes das máquinas')
  const [newest = ''] = readdirSync(POSTGRESQL).toSorted((a, b) => Number(b) - Number(a))
  const programs = join(POSTGRESQL, newest, 'bin')
  const user = databaseUser('')
  if (user === null) throw new Error('root has a user for the database')
  const folder = await mkdtemp(join(DATABASE_FOLDER, 'balcao-patroni-'))
  const network = createNetwork(NAMES)
  const balancerPort = await freePort()
  const setup = writeSetup({ folder, places: network.places, programs, user, balancerPort })
  const machines = network.places.map((place, index) => createMachine(place, setup.machines[index], { user, programs }))
  for (const machine of machines) machine.start()
  const balancer = spawn('haproxy', ['-db', '-f', setup.haproxy], {
    ...user,
    stdio: ['ignore', ...outputTo(join(folder, 'haproxy.log'))],
  })
  const remove = async (): Promise<void> => {
    balancer.kill('SIGKILL')
    for (const machine of machines) await machine.stop()
    network.remove()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const cluster = { ...clusterOf(machines, setup, balancerPort), programs, user, password: setup.password, remove }
  try {
    await cluster.healthy()
    await createDatabase(cluster, setup, balancerPort)
    await (await cluster.healthy()).run('pgbackrest', '--stanza=balcao', 'stanza-create')
    return cluster
  } catch (error) {
    await remove()
    throw error
  }
}

function clusterOf(machines: readonly Machine[], { password }: Setup, port: number) {
  const leader = async (except?: Machine): Promise<Machine | null> => {
    const members = await membersSeenBy(machines.filter((machine) => machine !== except))
    const name = members.find(({ role, state }) => role === 'leader' && state === 'running')?.name
    return machines.find((machine) => machine.name === name && machine !== except) ?? null
  }
  const balanced = `postgres://balcao:${password}@127.0.0.1:${port}`
  const hosts = machines.map(({ address }) => `${address}:5432`).join()
  return {
    ...{ machines, leader, url: `${balanced}/balcao` },
    urlOfHosts: `postgres://balcao:${password}@${hosts}/balcao?target_session_attrs=read-write`,
    healthy: () => waitUntil(async () => ((await isHealthy(machines)) ? leader() : null), HEALTHY_MS),
    connect: async (database = 'balcao'): Promise<Client> => {
      const client = new Client({ host: '127.0.0.1', port, user: 'postgres', password, database })
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
  }
}

type Members = z.output<typeof clusterSchema>['members']

/** The members of the cluster, by the first machine that answers. */
async function membersSeenBy(machines: readonly Machine[]): Promise<Members> {
  for (const { address } of machines) {
    try {
      const answer = await fetch(`http://${address}:8008/cluster`, { signal: AbortSignal.timeout(ANSWER_MS) })
      return clusterSchema.parse(await answer.json()).members
    } catch {
      // Not running, cut off or without etcd.
    }
  }
  return []
}

/** All machines have the same view, in which both standbys follow the primary. */
async function isHealthy(machines: readonly Machine[]): Promise<boolean> {
  const views = await Promise.all(machines.map((machine) => membersSeenBy([machine])))
  const [members = []] = views
  const roles = members.map(({ role }) => role).toSorted()
  const timelines = new Set(members.map(({ timeline }) => timeline))
  const running = members.every(({ state }) => state === 'running' || state === 'streaming')
  const same = new Set(views.map((view) => JSON.stringify(view))).size === 1
  return same && running && timelines.size === 1 && roles.join() === 'leader,replica,sync_standby'
}

async function createDatabase({ healthy }: Pick<PatroniCluster, 'healthy'>, setup: Setup, port: number): Promise<void> {
  await waitUntil(async () => {
    await healthy()
    const connection = { PGHOST: '127.0.0.1', PGPORT: String(port), PGPASSWORD: setup.password }
    const env = { ...process.env, ...connection, POSTGRES_USER: 'postgres', BALCAO_SENHA: setup.password }
    // HAProxy may not know the primary yet.
    return run('sh', [CREATE_DATABASE], { env }).then(
      () => true,
      () => false,
    )
  })
}

interface MachineOptions {
  readonly user: SystemUser
  readonly programs: string
}

function createMachine(place: Place, files: MachineFiles | undefined, { user, programs }: MachineOptions): Machine {
  if (files === undefined) throw new Error('a machine needs its files')
  const { uid, gid } = user
  // A service ends with this test, also when it is killed.
  const asUser = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--pdeathsig', 'KILL']
  const [ip = '', ...inside] = [...place.inside, ...asUser]
  const env = { PATH: process.env['PATH'] ?? '', LANG: 'C.UTF-8', HOME: files.root, ...files.env }
  const service = (name: string, args: readonly string[], own: Readonly<Record<string, string>>): ChildProcess =>
    spawn(ip, [...inside, name, ...args], {
      ...{ env: own, cwd: files.root },
      stdio: ['ignore', ...outputTo(join(files.root, `${name}.log`))],
    })
  let etcd: ChildProcess | null = null
  let patroni: ChildProcess | null = null
  const runProgram: Machine['run'] = async (program, ...args) =>
    (await run(ip, [...inside, program, ...args], { env, cwd: files.root })).stdout
  return {
    ...{ name: place.name, address: place.address, files, run: runProgram },
    ...{ cut: place.cut, cutFromOthers: place.cutFromOthers, mend: place.mend },
    start: () => {
      if (!isAlive(etcd)) etcd = service('etcd', [], { ...env, ...files.etcd })
      if (!isAlive(patroni)) patroni = service('patroni', [files.patroni], env)
    },
    kill: (what) => {
      if (what !== 'postgres') patroni?.kill('SIGKILL')
      if (what === 'patroni') return
      for (const pid of what === 'all' ? place.pids() : processesIn(files.pgdata)) signalIfAlive(pid, 'SIGKILL')
    },
    stop: async () => {
      patroni?.kill('SIGKILL')
      for (const pid of processesIn(files.pgdata)) signalIfAlive(pid, 'SIGQUIT')
      await waitUntil(() => processesIn(files.pgdata).length === 0)
    },
    writable: () =>
      runProgram(
        join(programs, 'psql'),
        '-h',
        files.socket,
        '-U',
        'postgres',
        '-Atc',
        'select pg_is_in_recovery()',
      ).then(
        (answer) => answer.trim() === 'f',
        () => false,
      ),
  }
}

function outputTo(path: string): [number, number] {
  const file = openSync(path, 'a')
  return [file, file]
}

const isAlive = (child: ChildProcess | null): boolean =>
  child !== null && child.exitCode === null && child.signalCode === null
