import { callbackify } from 'node:util'
import { type ClientBase, Pool, type PoolConfig, types } from 'pg'
import { BoundedClient } from './nodes/direct-connection.ts'
import { isUtcTimestamp, TIMESTAMPTZ } from './statement/fields.ts'

const INT8 = 20
const NUMERIC = 1700
const DATE = 1082
const parseAnyTimestamp = types.getTypeParser(TIMESTAMPTZ)

// Counters and prices fit into a JavaScript number. A date stays text because it has no time zone.
types.setTypeParser(INT8, Number)
types.setTypeParser(NUMERIC, Number)
types.setTypeParser(DATE, (text) => text)
types.setTypeParser(TIMESTAMPTZ, (text) => parseUtcTimestamp(text) ?? parseAnyTimestamp(text))

const DOT = 46
const ZERO = 48

/**
 * Reading the digits takes 0.1 µs, a text for `new Date` 0.27 µs and the parser of the library more. A page of 40 conversas has 160 timestamps. Null for other forms and for years
 * before 1000, which `Date.UTC` may move to 1900.
 */
function parseUtcTimestamp(text: string): Date | null {
  if (!isUtcTimestamp(text) || text.startsWith('0')) return null
  let ms = 0
  if (text.charCodeAt(19) === DOT) {
    for (let at = 20, weight = 100; at < text.length - 3 && weight >= 1; at += 1, weight /= 10) {
      ms += (text.charCodeAt(at) - ZERO) * weight
    }
  }
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const [month, day] = [twoDigits(text, 5) - 1, twoDigits(text, 8)]
  return new Date(Date.UTC(year, month, day, twoDigits(text, 11), twoDigits(text, 14), twoDigits(text, 17), ms))
}

function twoDigits(text: string, at: number): number {
  return (text.charCodeAt(at) - ZERO) * 10 + text.charCodeAt(at + 1) - ZERO
}

export interface PrimaryServer {
  readonly url: () => string
  /** Called when another server is the writable one, or the same one restarted. */
  readonly onChange: (listener: () => void) => void
  readonly doubt: () => void
  /** Throws when the server of this connection must not be written to. */
  readonly check: (client: Pick<ClientBase, 'query'>) => Promise<void>
}

export type ConnectionTarget =
  | { readonly url: string }
  | { readonly primary: PrimaryServer }
  | {
      readonly host: string
      readonly user: string
      readonly database: string
      readonly port?: number
      readonly password?: string | undefined
    }

export interface PoolOptions {
  /** Role of every statement. Absent for migrations, which run as the owner. */
  readonly role?: string
  readonly applicationName?: string
  readonly max?: number
  readonly statementTimeoutMs?: number
  readonly lockTimeoutMs?: number
  readonly waitMs?: number
  /** Longest wait for the answer of a statement. Default: three statement timeouts. */
  readonly answerMs?: number
}

const STATEMENT_MS = 5_000
const LOCK_MS = 3_000
const WAIT_MS = 10_000
const IDLE_IN_TRANSACTION_MS = 10_000
/** A statement may wait for pipelined ones before it, each up to its timeout. */
const STATEMENTS_PER_ANSWER = 3

export function createPool(target: ConnectionTarget, options: PoolOptions = {}): Pool {
  const { connection, options: daUrl } = readTarget(target)
  const { statementTimeoutMs = STATEMENT_MS } = options
  const { answerMs = statementTimeoutMs * STATEMENTS_PER_ANSWER } = options
  const settings = [
    // First, because the last value wins: a URL may tune the connection but not change the role.
    ...(daUrl === null ? [] : [daUrl]),
    `-c statement_timeout=${statementTimeoutMs}`,
    `-c lock_timeout=${options.lockTimeoutMs ?? LOCK_MS}`,
    `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    '-c timezone=UTC',
    ...(options.role === undefined ? [] : [`-c role=${options.role}`]),
  ]
  const config: PoolConfig & { pipeline: boolean } = {
    ...connection,
    // Pipelining sends statements without waiting for answers. COPY does not allow it, and only the owner's
    // connections use COPY.
    pipeline: options.role !== undefined,
    // A network that drops packets reports no error for about 15 minutes. pg then destroys the pipelined connection,
    // so its transaction fails and the pool replaces it. Migrations and backups of the owner have no limit.
    ...(options.role === undefined ? {} : { query_timeout: answerMs }),
    max: options.max ?? 10,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: settings.join(' '),
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: options.waitMs ?? WAIT_MS,
    application_name: options.applicationName ?? 'balcao',
    Client: BoundedClient,
  }
  const pool = 'primary' in target ? createPrimaryPool(config, target, options.role) : new Pool(config)
  // The pool replaces a broken idle connection. Without a listener the error would end the process.
  pool.on('error', () => undefined)
  return pool
}

/**
 * In pg, options of the URL replace options of the program. `options` is taken out of the URL so that ours can
 * follow it.
 */
function readTarget(target: ConnectionTarget): { connection: PoolConfig; options: string | null } {
  if (!('url' in target || 'primary' in target)) return { connection: target, options: null }
  const url = 'url' in target ? target.url : target.primary.url()
  const [address = '', query = ''] = url.split('?')
  const parametros = new URLSearchParams(query)
  const options = parametros.get('options')
  parametros.delete('options')
  return { connection: { connectionString: `${address}?${parametros.toString()}` }, options }
}

/**
 * Checks each new connection. After a promotion or a restart the open connections are closed, also those in use, because
 * an old primary that still runs would store their writes.
 */
function createPrimaryPool(config: PoolConfig, target: { readonly primary: PrimaryServer }, role?: string): Pool {
  const { primary } = target
  const checked = new Set<ClientBase>()
  const verify = async (client: ClientBase): Promise<void> => {
    client.on('error', () => undefined)
    await checkConnection(client, primary, role)
    checked.add(client)
  }
  const pool = new Pool({ ...config, verify: callbackify(verify) })
  pool.on('remove', (client: ClientBase) => void checked.delete(client))
  pool.on('error', () => primary.doubt())
  pool.on('release', (error: Error | undefined) => error !== undefined && primary.doubt())
  primary.onChange(() => {
    Object.assign(pool.options, readTarget(target).connection)
    for (const client of checked) if (client instanceof BoundedClient) client.connection.stream.destroy()
    checked.clear()
  })
  return pool
}

/** A pooler between may drop the role in silence. The program would then work as the owner of the tables. */
async function checkConnection(client: ClientBase, primary: PrimaryServer, role?: string): Promise<void> {
  await primary.check(client)
  if (role === undefined) return
  const { rows } = await client.query<{ quem: string }>('select current_user as quem')
  if (rows[0]?.quem === role) return
  throw new Error('O banco ignora as opções da conexão. Ligue o Balcão direto ao PostgreSQL, sem pooler no meio.')
}
