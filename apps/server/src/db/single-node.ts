import { Client } from 'pg'
import type { ConnectionTarget } from './connection.ts'

const LOCK = 7_203_616

/**
 * Locks an external database for this process. Without `LISTEN`/`NOTIFY` between nodes each of two processes would
 * act as the only node. Throws a Portuguese sentence if another process holds the lock.
 */
export async function holdSingleNode(target: ConnectionTarget): Promise<{ readonly release: () => Promise<void> }> {
  const client = new Client('url' in target ? { connectionString: target.url } : target)
  // A lost connection releases the lock. Without a listener the error would end the process. Leases still keep two
  // nodes apart.
  client.on('error', () => undefined)
  await client.connect()
  const { rows } = await client.query<{ livre: boolean }>('SELECT pg_try_advisory_lock($1) AS livre', [LOCK])
  if (rows[0]?.livre !== true) {
    await client.end()
    throw new Error(
      'Outro Balcão já usa este banco de dados, e só um de cada vez pode usá-lo. Pare o outro antes de iniciar este.',
    )
  }
  return { release: () => client.end() }
}
