import type { QueryResultRow } from 'pg'
import * as z from 'zod/mini'
import { instant } from './fields.ts'
import { camelCase, snakeCase } from './sql.ts'

/**
 * Reads rows by their schema. Parsing whole rows took half of the time of a list, so the usual fields are checked one by
 * one here. Fields that fail the check, and all others, are parsed by their schema.
 */

type Check = (value: unknown) => boolean

interface Definition {
  readonly type: string
  readonly checks?: readonly unknown[]
  readonly format?: string
  readonly entries?: Readonly<Record<string, unknown>>
  readonly innerType?: z.core.$ZodType
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
}

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def

/** By type, a check that accepts values which the schema returns as they are. Null: the schema must parse them. */
const CHECKS: Readonly<Record<string, (definition: Definition) => Check | null>> = {
  string: ({ format }) => (format === undefined ? (value) => typeof value === 'string' : null),
  number: ({ format }) => (format === undefined ? Number.isFinite : Number.isSafeInteger),
  boolean: () => (value) => typeof value === 'boolean',
  date: () => (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  unknown: () => () => true,
  enum: ({ entries = {} }) => {
    const allowed = new Set(Object.values(entries))
    return (value) => allowed.has(value)
  },
  nullable: ({ innerType }) => {
    const inner = innerType === undefined ? null : checkOf(innerType)
    return inner === null ? null : (value) => value === null || inner(value)
  },
}

function checkOf(schema: z.core.$ZodType): Check | null {
  const definition = definitionOf(schema)
  const { type, checks = [] } = definition
  return checks.length > 0 ? null : (CHECKS[type]?.(definition) ?? null)
}

type ReadField = (value: unknown) => unknown

function readerOf(schema: z.core.$ZodType): ReadField {
  const parse: ReadField = (value) => z.parse(schema, value)
  const { type, innerType } = definitionOf(schema)
  if (schema === instant || (type === 'nullable' && innerType === instant)) {
    return (value) => (value instanceof Date ? value.toISOString() : parse(value))
  }
  const check = checkOf(schema)
  return check === null ? parse : (value) => (check(value) ? value : parse(value))
}

export function rowReader<Row>(schema: z.ZodMiniType<Row>): (row: QueryResultRow) => Row {
  const { shape } = definitionOf(schema)
  if (shape === undefined) return (row) => schema.parse(camelCaseRow(row))
  const fields = Object.entries(shape).map(([name, field]) => ({
    name,
    column: snakeCase(name),
    read: readerOf(field),
  }))
  return (row) => {
    const read: Record<string, unknown> = {}
    for (const field of fields) read[field.name] = field.read(row[field.column])
    if (!isRead(schema, read)) throw new Error('row without a schema')
    return read
  }
}

/** True: each field was read by the schema. */
function isRead<Row>(schema: z.ZodMiniType<Row>, _row: unknown): _row is Row {
  return definitionOf(schema).shape !== undefined
}

function camelCaseRow(row: QueryResultRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [camelCase(column), value]))
}
