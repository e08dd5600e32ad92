import { chmodSync, mkdirSync } from 'node:fs'
import { Client } from 'pg'
import type { ConnectionTarget } from '../connection.ts'
import { ensureCluster, startCluster, stopCluster, SUPERUSER } from './cluster.ts'
import { choosePlace, type Place, prepareParent } from './place.ts'

const BANCO = 'balcao'
const TENTATIVAS = 20
const ENTRE_TENTATIVAS_MS = 250

export interface EmbeddedServer {
  /** Connects as the owner of everything: for migrations; ordinary work takes a role (see `createPool`). */
  readonly target: ConnectionTarget
  /** Stops the server. A killed process never gets here: the next one adopts the server it left. */
  readonly stop: () => Promise<void>
}

export interface EmbeddedOptions {
  readonly dataDir: string
  /** One sentence for the administrator. */
  readonly say: (frase: string) => void
  /** Server settings for tests, such as `fsync: 'off'`. */
  readonly settings?: Readonly<Record<string, string>>
}

/** Makes the data folder, private to its owner. */
export function ensureDataDir(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  chmodSync(dataDir, 0o700)
}

/**
 * The PostgreSQL of this data folder: created on the first start, adopted when it outlived its last Balcão, else started.
 * The caller holds the folder's lock.
 */
export async function startEmbedded({ dataDir, say, settings = {} }: EmbeddedOptions): Promise<EmbeddedServer> {
  if (process.platform === 'win32') {
    throw new Error('No Windows, informe um PostgreSQL em DATABASE_URL.')
  }
  const place = choosePlace(dataDir)
  if (place.aviso !== null) say(place.aviso)
  prepareParent(place)
  await ensureCluster(place)
  if (!(await answers(place))) await startWithPatience(place, settings)
  await ensureDatabase(place)
  return { target: { ...admin(place), database: BANCO }, stop: () => stopCluster(place) }
}

function admin(place: Place): { host: string; user: string; database: string } {
  return { host: place.socketDir, user: SUPERUSER, database: 'postgres' }
}

async function withAdmin<T>(place: Place, fn: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(admin(place))
  client.on('error', () => undefined)
  await client.connect()
  try {
    return await fn(client)
  } finally {
    await client.end()
  }
}

/** Whether the server of this very cluster is already up. */
async function answers(place: Place): Promise<boolean> {
  try {
    return await withAdmin(place, async (client) => {
      const { rows } = await client.query<{ data_directory: string }>('SHOW data_directory')
      return rows[0]?.data_directory === place.pgdata
    })
  } catch {
    return false
  }
}

/** After a kill -9 of the whole machine's processes, the last backends may still be on their way out. */
async function startWithPatience(place: Place, settings: Readonly<Record<string, string>>): Promise<void> {
  for (let tentativa = 1; ; tentativa += 1) {
    try {
      return await startCluster(place, settings)
    } catch (error) {
      if (await answers(place)) return
      if (tentativa >= TENTATIVAS || !isPassing(error)) throw error
      await new Promise((resolve) => setTimeout(resolve, ENTRE_TENTATIVAS_MS))
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && /shared memory block|lock file|starting up|Is another postmaster/.test(error.message)
}

async function ensureDatabase(place: Place): Promise<void> {
  await withAdmin(place, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [BANCO])
    if (rowCount === 0) await client.query(`CREATE DATABASE ${BANCO}`)
  })
}
