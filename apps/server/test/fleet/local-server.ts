import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { ensureCluster, startCluster, stopCluster } from '#db/embedded/cluster.ts'
import { SUPERUSER } from '#db/embedded/logins.ts'
import { choosePlace, type ClusterPlace } from '#db/embedded/place.ts'
import { freePort } from '#test/bot/program.ts'
import { DATABASE_FOLDER } from '#test/database-folder.ts'
import { waitUntil } from '#test/app.ts'

const run = promisify(execFile)

/** A kill of processes keeps the pages that they wrote, so a sync to the disk has no use here. */
const SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  max_connections: '120',
  wal_level: 'replica',
  hot_standby: 'on',
  wal_receiver_timeout: '2s',
  wal_sender_timeout: '2s',
}

/** A PostgreSQL server of a test, on a TCP port. */
export interface LocalServer {
  readonly host: string
  readonly url: string
  readonly start: (settings?: Readonly<Record<string, string>>) => Promise<void>
  /** Connects as the owner of the tables. The caller ends the connection. */
  readonly connect: (database?: string) => Promise<Client>
  /** SIGKILL to all processes of the server. */
  readonly crash: () => Promise<void>
  /** SIGQUIT: the server ends without a checkpoint and recovers at its next start. */
  readonly stopImmediately: () => Promise<void>
  readonly signal: (signal: NodeJS.Signals) => void
  /** Ids of its processes. */
  readonly pids: () => readonly number[]
  /** Makes a standby writable. */
  readonly promote: () => Promise<void>
  readonly remove: () => Promise<void>
}

export interface ServerFiles {
  readonly folder: string
  readonly place: ClusterPlace
  readonly port: number
  readonly password: string
}

/** Creates a server with an empty database `balcao`. The server is stopped. `parent`: the folder for its data. */
export async function createLocalServer(parent = DATABASE_FOLDER): Promise<LocalServer> {
  const files = await createFiles(randomBytes(16).toString('hex'), parent)
  await ensureCluster(files.place, files.password)
  const server = serverOf(files)
  await server.start()
  const client = await server.connect('postgres')
  await client.query('create database balcao')
  await client.end()
  await stopCluster(files.place)
  return server
}

/** A primary and its standby, both running. */
export interface ServerPair {
  readonly primary: LocalServer
  readonly standby: LocalServer
  /** Both hosts, the primary first. */
  readonly url: string
  readonly remove: () => Promise<void>
}

/** The standby is a copy of the stopped primary, because the embedded binaries contain no `pg_basebackup`. */
export async function createServerPair({ synchronous = true } = {}): Promise<ServerPair> {
  const password = randomBytes(16).toString('hex')
  const [first, second] = [await createFiles(password), await createFiles(password)]
  await ensureCluster(first.place, password)
  const [primary, standby] = [serverOf(first), serverOf(second)]
  await primary.start()
  const admin = await primary.connect('postgres')
  await admin.query('create database balcao')
  await admin.end()
  await stopCluster(first.place)
  await run('cp', ['-a', first.place.pgdata, second.place.pgdata])
  writeFileSync(join(second.place.pgdata, 'standby.signal'), '')
  const source = `host=127.0.0.1 port=${first.port} user=${SUPERUSER} password=${password} application_name=reserva`
  appendFileSync(join(second.place.pgdata, 'postgresql.conf'), `\nprimary_conninfo = '${source}'\n`)
  await primary.start(synchronous ? { synchronous_standby_names: '*' } : {})
  await standby.start()
  const owner = await primary.connect()
  await waitUntil(async () => {
    const { rows } = await owner.query<{ state: string }>('select sync_state as state from pg_stat_replication')
    return rows[0]?.state === (synchronous ? 'sync' : 'async')
  })
  await owner.end()
  return {
    ...{ primary, standby },
    url: `postgresql://${SUPERUSER}:${password}@${primary.host},${standby.host}/balcao?target_session_attrs=read-write`,
    remove: async () => void (await Promise.all([primary.remove(), standby.remove()])),
  }
}

export async function createFiles(password: string, parent = DATABASE_FOLDER): Promise<ServerFiles> {
  const folder = await mkdtemp(join(parent, 'balcao-servidor-'))
  return { folder, place: choosePlace(folder, true), port: await freePort(), password }
}

export function serverOf({ folder, place, port, password }: ServerFiles): LocalServer {
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of processesIn(place.pgdata)) signalIfAlive(pid, name)
  }
  const ended = (): Promise<unknown> => waitUntil(() => processesIn(place.pgdata).length === 0)
  const connect = async (database = 'balcao'): Promise<Client> => {
    const client = new Client({ host: '127.0.0.1', port, user: SUPERUSER, password, database })
    client.on('error', () => undefined)
    await client.connect()
    return client
  }
  const crash = async (): Promise<void> => {
    signal('SIGKILL')
    await ended()
  }
  return {
    host: `127.0.0.1:${port}`,
    url: `postgresql://${SUPERUSER}:${password}@127.0.0.1:${port}/balcao`,
    start: (settings = {}) => startCluster(place, { ...SETTINGS, ...settings }, port),
    ...{ connect, crash, signal },
    pids: () => processesIn(place.pgdata),
    stopImmediately: async () => {
      process.kill(postmasterOf(place), 'SIGQUIT')
      await ended()
    },
    promote: async () => {
      const client = await connect()
      await client.query('select pg_promote()')
      await client.end()
    },
    remove: async () => {
      await crash()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function postmasterOf({ pgdata }: ClusterPlace): number {
  return Number(readFileSync(join(pgdata, 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** The working folder of every process of a server is its data folder. */
export function processesIn(pgdata: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(Number).filter((pid) => workingFolder(pid) === pgdata)
}

function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // The process ended meanwhile.
    return null
  }
}

export function signalIfAlive(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process ended meanwhile.
  }
}
