import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { ConnectionTarget } from './connection.ts'
import { lockDataDir } from './embedded/lock.ts'
import { ensureDataDir, startEmbedded } from './embedded/supervisor.ts'
import { Primary } from './nodes/primary.ts'
import { type DatabaseUse, lockDatabase } from './nodes/database-lock.ts'

const NAME = 'balcao.conferencia'

/**
 * Throws a Portuguese sentence if a pooler gives one server connection to several clients. Row-level security, LISTEN
 * and the locks of this program need a separate connection. One client sets a session variable, and another one
 * holds a transaction meanwhile: it must not read the variable, and the first one must not lose it.
 */
async function refusePooler(primary: Primary): Promise<void> {
  const [first, second] = [await primary.connect('balcao'), await primary.connect('balcao')]
  try {
    const mark = randomUUID()
    await first.query('select set_config($1, $2, false)', [NAME, mark])
    await second.query('begin')
    if ((await read(second)) !== '' || (await readOrNull(first)) !== mark) throw sharedConnection()
    await second.query('commit')
    // A pooler that takes its connections in turn mixes them up only now.
    if ((await read(second)) !== '' || (await readOrNull(first)) !== mark) throw sharedConnection()
  } finally {
    for (const client of [first, second]) client.end().catch(() => undefined)
  }
}

function sharedConnection(): Error {
  return new Error(
    'Um pooler em modo de transação (como o PgBouncer) está entre o Balcão e o PostgreSQL. Ligue o Balcão direto ao PostgreSQL ou use o modo de sessão.',
  )
}

async function read(client: Client): Promise<string> {
  const { rows } = await client.query<{ lido: string | null }>('select current_setting($1, true) as lido', [NAME])
  return rows[0]?.lido ?? ''
}

/** Null if the answer does not arrive in time: the only server connection of a pooler belongs to the other client. */
function readOrNull(client: Client): Promise<string | null> {
  return read(client).catch(() => null)
}

export interface DatabaseOptions {
  readonly dataDir: string
  /** External database. Without it, the embedded one of the data folder. */
  readonly url: string | undefined
  readonly use: DatabaseUse
  readonly say: (sentence: string) => void
}

export interface OpenDatabase {
  readonly target: ConnectionTarget
  readonly poolTarget: ConnectionTarget
  /** No other process can use the database, so those of earlier starts are dead. */
  readonly exclusive: boolean
  /** The server of an external database. Null: the embedded one, which only this process uses. */
  readonly primary: Primary | null
  /** Resolves when a process that must be alone took the external database. This process must then end. */
  readonly taken: Promise<void>
  /** To close in this order, after all connections. */
  readonly parts: readonly { readonly name: string; readonly close: () => Promise<void> }[]
}

/**
 * Opens the database and locks it and the data folder. Throws a Portuguese sentence if another process uses the folder
 * or, against `use`, the external database.
 */
export async function openDatabase({ dataDir, url, use, say }: DatabaseOptions): Promise<OpenDatabase> {
  ensureDataDir(dataDir)
  const lock = await lockDataDir(dataDir)
  const lockPart = { name: 'lock', close: () => lock.release() }
  if (url !== undefined) {
    const primary = new Primary(url)
    await refusePooler(primary)
    const hold = await lockDatabase(primary, use)
    const target = { primary }
    const parts = [{ name: 'hold', close: () => hold.release() }, lockPart]
    return { target, poolTarget: target, primary, exclusive: false, taken: hold.taken, parts }
  }
  const embedded = await startEmbedded({ dataDir, say })
  const parts = [{ name: 'postgres', close: () => embedded.stop() }, lockPart]
  const { target, poolTarget } = embedded
  return { target, poolTarget, primary: null, exclusive: true, taken: new Promise(() => undefined), parts }
}
