import { Client } from 'pg'
import type { ConnectionTarget } from './connection.ts'

const LOCK = 7_203_616

/**
 * Holds an external database for this process alone, for as long as it lives. Without wake-ups between nodes two of them would
 * each believe to be the only one: the second is refused with a sentence.
 */
export async function holdAlone(target: ConnectionTarget): Promise<{ readonly release: () => Promise<void> }> {
  const client = new Client('url' in target ? { connectionString: target.url } : target)
  // A line that breaks lets go of the lock; unheard, it would end the process. Leases still keep two nodes apart.
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
