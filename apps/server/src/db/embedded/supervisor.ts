import { chmodSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { Client } from 'pg'
import { every } from '#lib/every.ts'
import { loadSecretFile } from '#lib/durable-files.ts'
import { waitAtMost } from '#lib/time.ts'
import type { ConnectionTarget } from '../connection.ts'
import {
  ClusterHeld,
  emptyLargeLog,
  ensureCluster,
  freePort,
  LOOPBACK,
  runningPort,
  SOCKET_PORT,
  startCluster,
  stopCluster,
} from './cluster.ts'
import { admitOnSocket, APP_LOGIN, loadPasswords, secureLogins, SUPERUSER, superuserFile } from './logins.ts'
import { choosePlace, type ClusterPlace, GROUP_TRAVERSE_MODE } from './place.ts'

const DATABASE = 'balcao'
const ATTEMPTS = 80
const RETRY_MS = 250
const LOG_CHECK_MS = 60_000
const WATCH_MS = 5_000
const CONNECT_MS = 5_000
const QUERY_MS = 30_000
const RESTART_MS = 2_000

export interface EmbeddedServer {
  readonly target: Extract<ConnectionTarget, { readonly host: string }>
  /** Connects for ordinary work: a login that may only take the working role (see `createPool`). */
  readonly poolTarget: EmbeddedServer['target']
  readonly pgdata: string
  /** True if the server was already running because its last Balcão was killed. */
  readonly adopted: boolean
  /** Stops the server. After a kill this does not run; the next start adopts the server. */
  readonly stop: () => Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDir: string
  readonly say: (sentence: string) => void
  readonly settings?: Readonly<Record<string, string>>
  /** Listens on the loopback instead of a private socket. Default on Windows; elsewhere only for tests. */
  readonly tcp?: boolean
  readonly logCheckMs?: number
  readonly watchMs?: number
}

/**
 * Creates the data folder or makes it private to its owner. Keeps the mode that lets root's database group traverse
 * it.
 */
export function ensureDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if ((statSync(dataDir).mode & 0o777) !== GROUP_TRAVERSE_MODE) chmodSync(dataDir, 0o700)
}

/**
 * Starts the PostgreSQL of this data folder: creates the cluster on the first start, adopts a running server. Starts
 * it again when it ends, as after a write on a full disk. The caller holds the folder's lock (`lockDataDir`).
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, say, settings = {}, tcp = process.platform === 'win32', logCheckMs = LOG_CHECK_MS } = options
  const place = choosePlace(dataDir, tcp)
  if (place.notice !== null) say(place.notice)
  admitOnSocket(place, dataDir)
  const passwords = loadPasswords(dataDir)
  const access = { place, dataDir, password: passwords.superuser }
  await ensureCluster(place, passwords.superuser)
  const adopted = await isRunning(access)
  if (!adopted) await startWithRetries({ access, settings, port: freePort })
  await withAdmin(access, async (client) => {
    await secureLogins(client, place, passwords)
    await ensureDatabase(client)
  })
  const target = { ...connectionOf(access), database: DATABASE }
  const poolTarget = { ...target, user: APP_LOGIN, password: passwords.app }
  const task = (): void => emptyLargeLog(place)
  const logCheck = every({
    ms: logCheckMs,
    task,
    failed: (error) => say(`o registro do banco não foi esvaziado: ${String(error)}`),
  })
  // The pools keep their address, so a server on TCP must get its earlier port.
  const port = (): Promise<number> => Promise.resolve(target.port ?? SOCKET_PORT)
  const watch = keepRunning({ access, settings, port }, options)
  const stop = async (): Promise<void> => {
    await logCheck.stop()
    await waitAtMost(RESTART_MS, watch.stop())
    await stopCluster(place)
  }
  return { target, poolTarget, pgdata: place.pgdata, adopted, stop }
}

interface Start {
  readonly access: Access
  readonly settings: Readonly<Record<string, string>>
  readonly port: () => Promise<number>
}

function keepRunning(start: Start, { say, watchMs = WATCH_MS }: EmbeddedOptions): { stop: () => Promise<void> } {
  let stopping = false
  let failing = false
  const task = async (): Promise<void> => {
    if (await isRunning(start.access)) return
    await startWithRetries(start, () => stopping)
    failing = false
    if (!stopping) say('o banco de dados tinha parado e foi iniciado de novo')
  }
  const watch = every({
    ms: watchMs,
    task,
    failed: (error) => {
      // The log has one line per outage. Further attempts add none.
      if (!failing && !stopping) say(error instanceof Error ? error.message : String(error))
      failing = true
    },
  })
  return {
    stop: () => {
      stopping = true
      return watch.stop()
    },
  }
}

/** Connection to the server of this data folder, which another Balcão runs. Null: none answers. */
export async function findEmbedded({
  dataDir,
  tcp = process.platform === 'win32',
}: Pick<EmbeddedOptions, 'dataDir' | 'tcp'>): Promise<EmbeddedServer['target'] | null> {
  const place = choosePlace(dataDir, tcp)
  // Only a start, which holds the folder's lock, may create the password file.
  if (runningPort(place.pgdata) === null || !existsSync(superuserFile(dataDir))) return null
  const access = { place, dataDir, password: loadSecretFile(superuserFile(dataDir)) }
  return (await isRunning(access)) ? { ...connectionOf(access), database: DATABASE } : null
}

interface Access {
  readonly place: ClusterPlace
  readonly dataDir: string
  readonly password: string
}

function connectionOf({ place, password }: Access): EmbeddedServer['target'] {
  const login = { user: SUPERUSER, database: 'postgres', password }
  if (place.socketDir !== null) return { host: place.socketDir, port: SOCKET_PORT, ...login }
  return { host: LOOPBACK, port: runningPort(place.pgdata) ?? 0, ...login }
}

class WrongPassword extends Error {}

async function withAdmin<T>(access: Access, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ ...connectionOf(access), connectionTimeoutMillis: CONNECT_MS, query_timeout: QUERY_MS })
  client.on('error', () => undefined)
  await client.connect().catch((error: unknown) => {
    // On TCP, the server of another folder may have refused the password.
    if (access.place.socketDir === null || !isWrongPassword(error)) throw error
    throw new WrongPassword(
      `A senha em ${superuserFile(access.dataDir)} não é a deste banco. Recupere o arquivo de uma cópia; ou encerre o PostgreSQL desta pasta, apague o arquivo e inicie de novo.`,
    )
  })
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}

function isWrongPassword(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '28P01'
}

/**
 * True if the server of this cluster is running; another server on the same port does not count. Throws
 * `WrongPassword` if the server on the private socket refuses the stored password.
 */
async function isRunning(access: Access): Promise<boolean> {
  const { pgdata } = access.place
  if (runningPort(pgdata) === null) return false
  try {
    return await withAdmin(access, async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
      return rows[0]?.data_directory === pgdata
    })
  } catch (error) {
    if (error instanceof WrongPassword) throw error
    return false
  }
}

/**
 * Retries for 20 s: after kill -9 the last backends may still hold the lock and the shared memory. Returns without a
 * server if `cancelled` becomes true.
 */
async function startWithRetries({ access, settings, port }: Start, cancelled = () => false): Promise<void> {
  const { place } = access
  for (let attempt = 1; !cancelled(); attempt += 1) {
    try {
      return await startCluster(place, settings, place.socketDir === null ? await port() : null)
    } catch (error) {
      if (await isRunning(access)) return
      if (attempt >= ATTEMPTS || !isTemporary(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ClusterHeld) return true
  return (
    error instanceof Error &&
    /shared memory block|lock file|starting up|Is another postmaster|bind|TCP\/IP sockets/.test(error.message)
  )
}

async function ensureDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
  if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
}
