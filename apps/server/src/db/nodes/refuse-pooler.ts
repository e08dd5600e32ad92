import { randomUUID } from 'node:crypto'
import type { Client } from 'pg'
import type { Primary } from './primary.ts'

const NAME = 'balcao.conferencia'

/**
 * Throws a Portuguese sentence if a pooler gives one server connection to several clients. Row-level security, LISTEN
 * and the locks of this program need a separate connection. One client sets a session variable, and another one
 * holds a transaction meanwhile: it must not read the variable, and the first one must not lose it.
 */
export async function refusePooler(primary: Primary): Promise<void> {
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
