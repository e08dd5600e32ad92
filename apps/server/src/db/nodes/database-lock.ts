import type { Client } from 'pg'
import { every } from '#lib/every.ts'
import type { Primary } from './primary.ts'

const LOCK = 7_203_616
const CHECK_MS = 2_000
const REFUSED = {
  shared: 'Outro programa usa este banco de dados sozinho. Espere que ele termine ou pare-o antes de iniciar este.',
  alone: 'Outro Balcão já usa este banco de dados, e este comando precisa dele só para si. Pare todos antes.',
} as const

/** `shared`: with other nodes. `alone`: for a command that rewrites the database. */
export type DatabaseUse = 'shared' | 'alone'

interface LockConnection {
  readonly client: Client
  readonly pid: number
  /** Start time, because the system uses a pid again. */
  readonly started: string
}

/**
 * Locks an external database: nodes share it, and a command that rewrites it must be alone. Programs before 2.0 were
 * alone too. A lost connection loses the lock, so the connection is checked every two seconds and the lock taken again.
 * Throws a Portuguese sentence if another process holds the lock otherwise.
 */
export async function lockDatabase(primary: Primary, use: DatabaseUse) {
  let held = await connect(primary)
  if (!(await tryLock(held, use))) {
    await held.client.end()
    throw new Error(REFUSED[use])
  }
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  let lost = false
  const check = async (): Promise<void> => {
    if (lost || (await answers(held))) return
    void held.client.end()
    const fresh = await connect(primary)
    const outcome = await takeOver(fresh, held, use)
    if (outcome === 'held') {
      held = fresh
      held.client.once('end', () => watch.wake())
      return
    }
    void fresh.client.end()
    if (outcome === 'wait') return
    lost = true
    resolve()
  }
  // While the database is down, each round fails and the next one tries again.
  const watch = every({ ms: CHECK_MS, task: check, failed: () => undefined })
  held.client.once('end', () => watch.wake())
  return {
    taken,
    release: async () => {
      await watch.stop()
      await held.client.end()
    },
  }
}

async function connect(primary: Primary): Promise<LockConnection> {
  const client = await primary.connect('balcao')
  try {
    const { rows } = await client.query<{ pid: number; started: string }>(
      'SELECT pid, extract(epoch FROM backend_start)::text AS started FROM pg_stat_activity WHERE pid = pg_backend_pid()',
    )
    return { client, pid: rows[0]?.pid ?? 0, started: rows[0]?.started ?? '' }
  } catch (error) {
    void client.end()
    throw error
  }
}

/** Takes the lock of a broken connection. `wait`: PostgreSQL had not noticed yet that the connection is broken. */
async function takeOver(
  fresh: LockConnection,
  old: LockConnection,
  use: DatabaseUse,
): Promise<'held' | 'wait' | 'taken'> {
  try {
    if (await endBackend(fresh, old)) return 'wait'
    return (await tryLock(fresh, use)) ? 'held' : 'taken'
  } catch {
    // The connection failed again. The next round retries.
    return 'wait'
  }
}

function answers({ client }: LockConnection): Promise<boolean> {
  return client.query('SELECT 1').then(
    () => true,
    () => false,
  )
}

/** Ends the process of a broken connection. Returns false if the process has ended. */
async function endBackend({ client }: LockConnection, { pid, started }: LockConnection): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2`,
    [pid, started],
  )
  return rowCount !== 0
}

const TRY_SQL = {
  shared: 'SELECT pg_try_advisory_lock_shared($1) AS livre',
  alone: 'SELECT pg_try_advisory_lock($1) AS livre',
} as const

async function tryLock({ client }: LockConnection, use: DatabaseUse): Promise<boolean> {
  const { rows } = await client.query<{ livre: boolean }>(TRY_SQL[use], [LOCK])
  return rows[0]?.livre === true
}
