import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg'
import type { Gate } from '#lib/queue/gate.ts'
import { commit } from './commit.ts'
import { createConnectionTurns, SEVERAL } from './connection-turns.ts'
import type { StatementRunner } from './statement/statement.ts'

/** Contas that a transaction may read and write: one, several, or `'*'` for work on all of them. */
export type ContaScope = string | readonly string[]

export interface Tx extends StatementRunner {
  /** Any SQL, for tests and benchmarks. The product sends statements. */
  readonly query: <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<Row>>
  /**
   * COMMIT leaves behind the statements of this work without waiting for their answers. The transaction rejects with the
   * error of the work, which is more specific than the one of COMMIT.
   */
  readonly commitBehind: (work: Promise<unknown>) => void
  /** Runs after the commit, in order. An error is logged; the commit stays. */
  readonly afterCommit: (callback: () => void | Promise<void>) => void
}

/**
 * `indexes` forces index scans. For prepared statements that are planned while tables are small and keep the plan
 * while they grow.
 */
export type PlannerMode = 'free' | 'indexes'

interface ReadOptions {
  readonly planner?: PlannerMode
  /**
   * COMMIT is sent together with the statements, so the server is asked once. The work must start all its statements
   * before it waits for one. For short statements: a second round trip costs more than they do.
   */
  readonly oneTrip?: boolean
}

interface TransactionOptions extends ReadOptions {
  /** Longest wait for a lock in this transaction. Default: the limit of the connection. */
  readonly lockMs?: number
}

export interface Database {
  /** Runs one transaction limited to `contas`. Deadlocks and serialization failures are retried twice. */
  readonly transaction: <T>(contas: ContaScope, fn: (tx: Tx) => Promise<T>, options?: TransactionOptions) => Promise<T>
  /**
   * Read-only transaction in one snapshot; a write throws. With a snapshot, the counters of a list match its
   * mensagens, and later events can update both.
   */
  readonly read: <T>(contas: ContaScope, fn: (tx: Tx) => Promise<T>, options?: ReadOptions) => Promise<T>
  readonly connections: () => ConnectionUse
  /** Calls `listener` after every COMMIT of `transaction`. */
  readonly onCommit: (listener: CommitListener) => void
  readonly end: () => Promise<void>
}

export interface ConnectionUse {
  readonly used: number
  readonly max: number
  readonly waiting: number
}

/** `seconds`: from the end of the work to the answer of COMMIT. Statements without an answer before it count. */
type CommitListener = (seconds: number) => void

interface TxState {
  /** False after the connection went back to the pool, where another transaction may use it. */
  open: boolean
  readonly callbacks: (() => void | Promise<void>)[]
  readonly unanswered: Promise<unknown>[]
}

interface Log {
  readonly error: (data: object, mensagem: string) => void
}

const ATTEMPTS = 3
/** Planner settings, sent only when they differ from the connection's last ones. */
const PLANNER_SETTINGS: Readonly<Record<PlannerMode, string>> = {
  free: 'RESET enable_seqscan; RESET enable_hashjoin; RESET enable_mergejoin; RESET plan_cache_mode; ',
  indexes:
    'SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; ' +
    // A custom plan for given arrays always looks cheaper than the generic one, so each call would be planned
    // again.
    'SET plan_cache_mode = force_generic_plan; ',
}
const plannerModeOf = new WeakMap<PoolClient, PlannerMode | 'incerto'>()
const modeOf = (client: PoolClient): PlannerMode | 'incerto' => plannerModeOf.get(client) ?? 'free'
const FINISHED = 'this transaction is over'
const BEGIN_READ = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
type Begin = 'BEGIN' | typeof BEGIN_READ
const RETRYABLE_CODES = new Set(['40001', '40P01'])
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function createDatabase({ pool, log }: { pool: Pool; log: Log }): Database {
  const connections = createConnectionTurns(pool)
  const listeners: CommitListener[] = []
  const committed: CommitListener = (seconds) => {
    for (const listener of listeners) listener(seconds)
  }
  const run = async <T>(contas: ContaScope, mode: Begin, work: Work<T>): Promise<T> => {
    const begin = beginStatement(contas, mode, work.lockMs)
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { result, callbacks } = await connections.run(
          () => runOnce({ ...work, pool, begin, ...(mode === 'BEGIN' && { committed }) }),
          typeof contas === 'string' ? contas : SEVERAL,
        )
        // The connection is free again, because callbacks may need one.
        await runAll(callbacks, log)
        return result
      } catch (error) {
        if (attempt >= ATTEMPTS || !isRetryable(error)) throw error
      }
    }
  }
  return {
    transaction: (contas, fn, options) => run(contas, 'BEGIN', { fn, ...options }),
    read: (contas, fn, options) => run(contas, BEGIN_READ, { fn, ...options }),
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      max: pool.options.max,
      waiting: connections.waiting() + pool.waitingCount,
    }),
    onCommit: (listener) => void listeners.push(listener),
    end: () => pool.end(),
  }
}

interface Work<T> extends TransactionOptions {
  readonly fn: (tx: Tx) => Promise<T>
}

/**
 * The same database behind a gate, for work that may hold only some of its connections. A transaction must not open
 * another one of the same gate.
 */
export function throughGate(db: Database, gate: Gate, key: string): Database {
  return {
    ...db,
    transaction: (contas, fn, options) => gate.run(() => db.transaction(contas, fn, options), key),
    read: (contas, fn, options) => gate.run(() => db.read(contas, fn, options), key),
  }
}

interface RunOptions<T> extends Work<T> {
  readonly pool: Pool
  readonly begin: string
  readonly committed?: CommitListener
}

async function runOnce<T>(options: RunOptions<T>) {
  const { pool, begin, fn, planner = 'free', oneTrip = false, committed: observe } = options
  const client = await pool.connect()
  const estado: TxState = { open: true, callbacks: [], unanswered: [] }
  let broken: Error | undefined
  // The client emits an error if its connection breaks. Without a listener the error would end the process.
  const onError = (error: Error): void => void (broken = error)
  client.on('error', onError)
  try {
    // Sent together with the first statement. If BEGIN fails, that statement runs without a conta and returns no
    // row; the transaction then ends here.
    joinWrites(client)
    const begun = client.query(modeOf(client) === planner ? begin : PLANNER_SETTINGS[planner] + begin)
    plannerModeOf.set(client, planner)
    begun.catch(() => undefined)
    const tx = createTx(client, estado)
    const work = fn(tx)
    if (oneTrip) tx.commitBehind(work)
    else await work
    // A statement after this line would run behind the COMMIT, without a conta.
    estado.open = false
    joinWrites(client)
    const workEnded = performance.now()
    const committed = commit(client)
    committed.catch(() => undefined)
    await begun
    // Before the COMMIT, whose error would hide the one of a failed statement.
    for (const one of estado.unanswered) await one
    await committed
    observe?.((performance.now() - workEnded) / 1_000)
    return { result: await work, callbacks: estado.callbacks }
  } catch (error) {
    plannerModeOf.set(client, 'incerto')
    if (isServerGone(error)) broken ??= error
    await client.query('ROLLBACK').catch((motivo: unknown) => {
      broken ??= motivo instanceof Error ? motivo : new Error('rollback failed')
    })
    throw error
  } finally {
    estado.open = false
    if (broken === undefined) client.off('error', onError)
    client.release(broken)
  }
}

/**
 * Statements of one tick leave in one write. Each write wakes the database process of the connection, which costs
 * more than a short statement.
 */
function joinWrites({ connection: { stream } }: PoolClient): void {
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/** BEGIN and the contas in one round trip. The ids are validated because this text has no parameters. */
function beginStatement(contas: ContaScope, begin: Begin, lockMs?: number): string {
  const lista = typeof contas === 'string' ? [contas] : contas
  if (!lista.every((conta) => conta === '*' || UUID.test(conta))) throw new Error('not an account id')
  const locks = lockMs === undefined ? '' : `; SET LOCAL lock_timeout = ${Math.trunc(lockMs)}`
  return `${begin}; SET LOCAL app.contas = '${lista.join(',')}'${locks}`
}

/** Changes the planner before the next statement, if another mode is set. The COMMIT reports an error of it. */
function usePlanner(client: PoolClient, mode: PlannerMode): void {
  if (modeOf(client) === mode) return
  plannerModeOf.set(client, mode)
  client.query(PLANNER_SETTINGS[mode]).catch(() => undefined)
}

function createTx(client: PoolClient, state: TxState): Tx {
  const live = (): PoolClient => {
    if (!state.open) throw new Error(FINISHED)
    joinWrites(client)
    return client
  }
  return {
    query: async (text, values) => live().query(text, values),
    send: async ({ name, plan, text, types }, values) => {
      const connection = live()
      if (plan.planner !== undefined) usePlanner(client, plan.planner)
      const query = plan.prepared === true ? { name, text, values, types } : { text, values, types }
      const { rows, rowCount } = await connection.query<QueryResultRow>(query)
      return { rows, count: rowCount ?? 0 }
    },
    commitBehind: (unanswered) => {
      // Prevents an unhandled rejection. The transaction awaits it behind COMMIT.
      unanswered.catch(() => undefined)
      state.unanswered.push(unanswered)
    },
    afterCommit: (callback) => void state.callbacks.push(callback),
  }
}

async function runAll(callbacks: readonly (() => void | Promise<void>)[], log: Log): Promise<void> {
  for (const callback of callbacks) {
    try {
      await callback()
    } catch (error) {
      log.error({ err: error }, 'after-commit callback failed')
    }
  }
}

/** The server ended the connection, shuts down, or became a standby. */
const SERVER_GONE = /^(08...|57P0[123]|25006)$/

function isServerGone(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && SERVER_GONE.test(error.code)
}

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && RETRYABLE_CODES.has(error.code)
}
