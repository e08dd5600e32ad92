import type { CustomTypesConfig, QueryResultRow } from 'pg'
import * as z from 'zod/mini'
import { isoTypes } from './fields.ts'
import { hasOnlyInstants, rowReader } from './rows.ts'
import { compileSql, type SentValue, type Sql } from './sql.ts'

/**
 * Statements of the product, as functions of a transaction and the values. Each has its own name, such as `produtos:
 * list`. They are registered when their module is loaded, so a test prepares all of them on a migrated database and
 * compares their columns with their schemas.
 */

interface Planning {
  /** `indices`: index scans only, for a plan that is kept while tables grow. */
  readonly planner?: 'indexes'
  /** Parsed and planned once for each connection. For statements that run often. */
  readonly prepared?: true
}

export interface Statement {
  readonly name: string
  readonly text: string
  readonly plan: Planning
  readonly row: z.ZodMiniType | null
  /** Absent: those of the connection. */
  readonly types?: CustomTypesConfig
}

export interface StatementRunner {
  readonly send: (statement: Statement, values: SentValue[]) => Promise<SentRows>
}

type Run<Values, Result> = (tx: StatementRunner, values: Values) => Promise<Result>

/** PostgreSQL cuts longer names of prepared statements. */
const NAME_MAX = 63
const registered = new Map<string, Statement>()

export const listStatements = (): readonly Statement[] => [...registered.values()]

/** A statement that returns rows. The fields of a row are its columns in camelCase. */
export function manyRows<Values, Row>(
  name: string,
  row: z.ZodMiniType<Row>,
  text: Sql<Values>,
  plan: Planning = {},
): Run<Values, Row[]> {
  const run = register({ name, plan, row }, text)
  const read = rowReader(row)
  return async (tx, values) => (await run(tx, values)).rows.map(read)
}

/** A statement that returns the first row, or null if there is none. */
export function oneRow<Values, Row>(
  name: string,
  row: z.ZodMiniType<Row>,
  text: Sql<Values>,
  plan: Planning = {},
): Run<Values, Row | null> {
  const all = manyRows(name, row, text, plan)
  return async (tx, values) => (await all(tx, values))[0] ?? null
}

/** A statement that returns one row with one column, such as a count. Throws without a row. */
export function oneValue<Values, Value>(
  name: string,
  value: z.ZodMiniType<Value>,
  text: Sql<Values>,
  plan: Planning = {},
): Run<Values, Value> {
  const first = oneRow(name, z.object({ value }), text, plan)
  return async (tx, values) => {
    const row = await first(tx, values)
    if (row === null) throw new Error(`no value from ${name}`)
    return row.value
  }
}

/** A statement that returns the number of rows that it wrote. */
export function noRows<Values>(name: string, text: Sql<Values>, plan: Planning = {}): Run<Values, number> {
  const run = register({ name, plan, row: null }, text)
  return async (tx, values) => (await run(tx, values)).count
}

function register<Values>(described: Omit<Statement, 'text'>, sql: Sql<Values>): Run<Values, SentRows> {
  const { name, row } = described
  if (registered.has(name)) throw new Error(`two statements are named ${name}`)
  if (name.length > NAME_MAX) throw new Error(`the name is too long: ${name}`)
  const { text, encode } = compileSql(sql)
  const statement = { ...described, text, ...(row !== null && hasOnlyInstants(row) ? { types: isoTypes } : {}) }
  registered.set(name, statement)
  return (tx, values) => tx.send(statement, encode(values))
}

/**
 * Waits for statements that were sent without waiting for each other. PostgreSQL refuses those behind a failed one, so
 * the error of the first one is thrown, not theirs.
 */
export async function inOrder<T extends readonly Promise<unknown>[] | []>(
  sent: T,
): Promise<{ -readonly [P in keyof T]: Awaited<T[P]> }> {
  for (const one of sent) one.catch(() => undefined)
  for (const one of sent) await one
  return Promise.all(sent)
}

export interface SentRows {
  readonly rows: QueryResultRow[]
  readonly count: number
}
