import { Pool, types, type PoolConfig } from 'pg'

const INT8 = 20
const NUMERIC = 1700
const DATE = 1082
const TIMESTAMPTZ = 1184
/** What the library does with an instant: any time zone, years before Christ, infinity. */
const qualquerInstante = types.getTypeParser(TIMESTAMPTZ)

// Counters and prices are small enough for a number; a date is a day, not an instant.
types.setTypeParser(INT8, Number)
types.setTypeParser(NUMERIC, Number)
types.setTypeParser(DATE, (texto) => texto)
// Connections speak UTC: `2026-11-21 13:40:00.123456+00`, which is five times faster read as the ISO text it almost is.
types.setTypeParser(TIMESTAMPTZ, (texto) => {
  const instante = texto.endsWith('+00') ? new Date(`${texto.slice(0, 10)}T${texto.slice(11, -3)}Z`) : null
  return instante === null || Number.isNaN(instante.getTime()) ? qualquerInstante(texto) : instante
})

/** Where the database is: an external URL or the embedded server's socket. */
export type ConnectionTarget =
  | { readonly url: string }
  | {
      readonly host: string
      readonly user: string
      readonly database: string
      readonly port?: number
      readonly password?: string | undefined
    }

export interface PoolOptions {
  /** The role every statement runs as; absent for migrations, which run as the owner. */
  readonly role?: string
  readonly max?: number
  readonly statementTimeoutMs?: number
  /** How long a statement waits for what another transaction holds. */
  readonly lockTimeoutMs?: number
  /** How long somebody waits for a connection before it is refused. */
  readonly waitMs?: number
}

const STATEMENT_MS = 5_000
const LOCK_MS = 3_000
const WAIT_MS = 10_000
const IDLE_IN_TRANSACTION_MS = 10_000

export function createPool(target: ConnectionTarget, options: PoolOptions = {}): Pool {
  const { connection, options: daUrl } = readTarget(target)
  const settings = [
    // First, so that ours win: a URL may tune the connection, never leave the role.
    ...(daUrl === null ? [] : [daUrl]),
    `-c statement_timeout=${options.statementTimeoutMs ?? STATEMENT_MS}`,
    `-c lock_timeout=${options.lockTimeoutMs ?? LOCK_MS}`,
    `-c idle_in_transaction_session_timeout=${IDLE_IN_TRANSACTION_MS}`,
    '-c timezone=UTC',
    ...(options.role === undefined ? [] : [`-c role=${options.role}`]),
  ]
  const config: PoolConfig & { pipeline: boolean } = {
    ...connection,
    // The working role's statements need not wait for each other's answers; the owner's may be COPY, which must.
    pipeline: options.role !== undefined,
    max: options.max ?? 10,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: settings.join(' '),
    idleTimeoutMillis: 60_000,
    connectionTimeoutMillis: options.waitMs ?? WAIT_MS,
    application_name: 'balcao',
  }
  const pool = new Pool(config)
  // An idle connection that breaks is replaced on the next use; the query that needed it reports its own error.
  pool.on('error', () => undefined)
  return pool
}

/** pg lets what a URL says replace what the program says; `options` is therefore taken out of the URL and put first. */
function readTarget(target: ConnectionTarget): { connection: PoolConfig; options: string | null } {
  if (!('url' in target)) return { connection: target, options: null }
  const [endereco = '', consulta = ''] = target.url.split('?')
  const parametros = new URLSearchParams(consulta)
  const options = parametros.get('options')
  parametros.delete('options')
  return { connection: { connectionString: `${endereco}?${parametros.toString()}` }, options }
}
