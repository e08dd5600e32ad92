import { Client } from 'pg'
import { every } from '#lib/every.ts'
import type { ConnectionTarget } from './connection.ts'

const LOCK = 7_203_616
const CHECK_MS = 1_000
const ANSWER_MS = 5_000

export interface SingleNodeHold {
  /** Resolves when another process holds the lock. This process must then end. */
  readonly taken: Promise<void>
  readonly release: () => Promise<void>
}

/** The connection that holds the lock, and its process in PostgreSQL. */
interface Line {
  readonly client: Client
  readonly pid: number
  /** Start time, because the system uses a pid again. */
  readonly started: string
}

/**
 * Locks an external database for this process. Without a bus between nodes each of two processes would act as the
 * only node. A lost connection loses the lock, so the connection is checked every second and the lock taken again.
 * Throws a Portuguese sentence if another process holds the lock.
 */
export async function holdSingleNode(target: ConnectionTarget): Promise<SingleNodeHold> {
  let line = await connect(target)
  if (!(await tryLock(line))) {
    await line.client.end()
    throw new Error(
      'Outro Balcão já usa este banco de dados, e só um de cada vez pode usá-lo. Pare o outro antes de iniciar este.',
    )
  }
  const { promise: taken, resolve } = Promise.withResolvers<void>()
  let lost = false
  const check = async (): Promise<void> => {
    if (lost || (await answers(line))) return
    void line.client.end()
    const fresh = await connect(target)
    const outcome = await takeOver(fresh, line)
    if (outcome === 'held') {
      line = fresh
      line.client.once('end', () => watch.wake())
      return
    }
    void fresh.client.end()
    if (outcome === 'wait') return
    lost = true
    resolve()
  }
  // While the database is down, each round fails and the next one tries again.
  const watch = every({ ms: CHECK_MS, task: check, failed: () => undefined })
  line.client.once('end', () => watch.wake())
  return {
    taken,
    release: async () => {
      await watch.stop()
      await line.client.end()
    },
  }
}

async function connect(target: ConnectionTarget): Promise<Line> {
  const client = new Client({
    ...('url' in target ? { connectionString: target.url } : target),
    keepAlive: true,
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  })
  // Without a listener the error of a lost connection would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
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
async function takeOver(fresh: Line, old: Line): Promise<'held' | 'wait' | 'taken'> {
  try {
    if (await endBackend(fresh, old)) return 'wait'
    return (await tryLock(fresh)) ? 'held' : 'taken'
  } catch {
    // The database broke off again. The next round tries again.
    return 'wait'
  }
}

function answers({ client }: Line): Promise<boolean> {
  return client.query('SELECT 1').then(
    () => true,
    () => false,
  )
}

/** Ends the process of a broken connection. Returns false if it is gone. */
async function endBackend({ client }: Line, { pid, started }: Line): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE pid = $1 AND extract(epoch FROM backend_start)::text = $2`,
    [pid, started],
  )
  return rowCount !== 0
}

async function tryLock({ client }: Line): Promise<boolean> {
  const { rows } = await client.query<{ livre: boolean }>('SELECT pg_try_advisory_lock($1) AS livre', [LOCK])
  return rows[0]?.livre === true
}
