import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient, QueryResult, QueryResultRow } from 'pg'
import type * as z from 'zod/mini'
import type { Tables } from './tables.ts'

/** The accounts a transaction may see: one, several, or `'*'` for work that is honestly about all of them. */
export type Contas = string | readonly string[]

export interface Tx {
  readonly kysely: Kysely<Tables>
  readonly query: <Row extends QueryResultRow>(text: string, values?: unknown[]) => Promise<QueryResult<Row>>
  /** A prepared statement: parsed and planned once per connection. */
  readonly queryNamed: <Row extends QueryResultRow>(name: string, text: string, values: unknown[]) => Promise<QueryResult<Row>>
  /** Rows read through a schema. */
  readonly rows: <S extends z.ZodMiniType>(schema: S, text: string, values?: unknown[]) => Promise<z.output<S>[]>
  /** Runs after the commit, in order. What it throws is logged: the commit stands. */
  readonly afterCommit: (callback: () => void | Promise<void>) => void
}

export interface Database {
  /** One transaction that sees only `contas`. Deadlocks and serialization failures are tried again, twice. */
  readonly transaction: <T>(contas: Contas, fn: (tx: Tx) => Promise<T>) => Promise<T>
  readonly end: () => Promise<void>
}

interface Log {
  readonly error: (dados: object, mensagem: string) => void
}

const TENTATIVAS = 3
const REPETIVEIS = new Set(['40001', '40P01'])
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function createDatabase({ pool, log }: { pool: Pool; log: Log }): Database {
  const once = async <T>(begin: string, fn: (tx: Tx) => Promise<T>): Promise<T> => {
    const client = await pool.connect()
    const callbacks: (() => void | Promise<void>)[] = []
    let broken: Error | undefined
    try {
      await client.query(begin)
      const result = await fn(createTx(client, callbacks))
      await client.query('COMMIT')
      return result
    } catch (error) {
      callbacks.length = 0
      await client.query('ROLLBACK').catch((motivo: unknown) => {
        broken = motivo instanceof Error ? motivo : new Error('rollback failed')
      })
      throw error
    } finally {
      client.release(broken)
      await runAll(callbacks, log)
    }
  }
  return {
    transaction: async (contas, fn) => {
      const begin = beginStatement(contas)
      for (let tentativa = 1; ; tentativa += 1) {
        try {
          return await once(begin, fn)
        } catch (error) {
          if (tentativa >= TENTATIVAS || !isRetryable(error)) throw error
        }
      }
    },
    end: () => pool.end(),
  }
}

/** BEGIN and the accounts in one round trip. Ids are checked because this text is not parameterised. */
function beginStatement(contas: Contas): string {
  const lista = typeof contas === 'string' ? [contas] : contas
  if (!lista.every((conta) => conta === '*' || UUID.test(conta))) throw new Error('not an account id')
  return `BEGIN; SET LOCAL app.contas = '${lista.join(',')}'`
}

function createTx(client: PoolClient, callbacks: (() => void | Promise<void>)[]): Tx {
  let kysely: Kysely<Tables> | undefined
  return {
    get kysely() {
      kysely ??= bindKysely(client)
      return kysely
    },
    query: (text, values) => client.query(text, values),
    queryNamed: (name, text, values) => client.query({ name, text, values }),
    rows: async (schema, text, values) => {
      const { rows } = await client.query<QueryResultRow>(text, values)
      return rows.map((row) => schema.parse(row))
    },
    afterCommit: (callback) => void callbacks.push(callback),
  }
}

/** A query builder over this connection alone: what it runs is inside the transaction, and it can neither end nor release it. */
function bindKysely(client: PoolClient): Kysely<Tables> {
  const query: PostgresPoolClient['query'] = client.query.bind(client)
  const conexao: PostgresPoolClient = { query, release: () => undefined }
  const pool: PostgresPool = { connect: () => Promise.resolve(conexao), end: () => Promise.resolve(), options: {} }
  return new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  })
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

function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && REPETIVEIS.has(error.code)
}
