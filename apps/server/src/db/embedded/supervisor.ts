import { chmodSync, mkdirSync, statSync } from 'node:fs'
import { Client } from 'pg'
import type { ConnectionTarget } from '../connection.ts'
import { ClusterHeld, ensureCluster, startCluster, stopCluster, SOCKET_PORT, SUPERUSER } from './cluster.ts'
import { GROUP_TRAVERSE_MODE, choosePlace, type ClusterPlace } from './place.ts'
import { freePort, loadPassword, LOOPBACK, runningPort } from './tcp.ts'

const DATABASE = 'balcao'
const ATTEMPTS = 80
const RETRY_MS = 250

export interface EmbeddedServer {
  /** Connects as superuser, for migrations. Ordinary work uses a role (see `createPool`). */
  readonly target: Extract<ConnectionTarget, { readonly host: string }>
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
 * Starts the PostgreSQL of this data folder: creates the cluster on the first start, adopts a running server. The
 * caller holds the folder's lock (`lockDataDir`).
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const { dataDir, say, settings = {}, tcp = process.platform === 'win32' } = options
  const place = choosePlace(dataDir, tcp)
  if (place.notice !== null) say(place.notice)
  const password = tcp ? loadPassword(dataDir) : null
  await ensureCluster(place, password)
  const adopted = await isRunning(place, password)
  if (!adopted) await startWithRetries(place, password, settings)
  const target = connectionOf(place, password)
  await ensureDatabase(target)
  return { target: { ...target, database: DATABASE }, pgdata: place.pgdata, adopted, stop: () => stopCluster(place) }
}

/** Connection to the server of this data folder, which another Balcão runs. Null: none answers. */
export async function findEmbedded({
  dataDir,
  tcp = process.platform === 'win32',
}: Pick<EmbeddedOptions, 'dataDir' | 'tcp'>): Promise<EmbeddedServer['target'] | null> {
  const place = choosePlace(dataDir, tcp)
  const password = tcp ? loadPassword(dataDir) : null
  return (await isRunning(place, password)) ? { ...connectionOf(place, password), database: DATABASE } : null
}

function connectionOf(place: ClusterPlace, password: string | null): EmbeddedServer['target'] {
  if (place.socketDir !== null)
    return { host: place.socketDir, port: SOCKET_PORT, user: SUPERUSER, database: 'postgres' }
  const port = runningPort(place.pgdata) ?? 0
  return { host: LOOPBACK, port, user: SUPERUSER, database: 'postgres', password: password ?? '' }
}

async function withAdmin<T>(target: EmbeddedServer['target'], fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(target)
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}

/** True if the server of this cluster is running; another server on the same port does not count. */
async function isRunning(place: ClusterPlace, password: string | null): Promise<boolean> {
  if (runningPort(place.pgdata) === null) return false
  try {
    return await withAdmin(connectionOf(place, password), async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
      return rows[0]?.data_directory === place.pgdata
    })
  } catch {
    return false
  }
}

/** Retries for 20 s: after kill -9 the last backends may still hold the lock and the shared memory. */
async function startWithRetries(
  place: ClusterPlace,
  password: string | null,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startCluster(place, settings, password === null ? null : await freePort())
    } catch (error) {
      if (await isRunning(place, password)) return
      if (attempt >= ATTEMPTS || !isTemporary(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
    }
  }
}

function isTemporary(error: unknown): boolean {
  if (error instanceof ClusterHeld) return true
  return (
    error instanceof Error && /shared memory block|lock file|starting up|Is another postmaster|bind/.test(error.message)
  )
}

async function ensureDatabase(target: EmbeddedServer['target']): Promise<void> {
  await withAdmin(target, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE}`)
  })
}
