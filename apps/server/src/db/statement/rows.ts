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
  readonly element?: z.core.$ZodType
  readonly innerType?: z.core.$ZodType
  readonly in?: z.core.$ZodType
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
  array: ({ element }) => {
    const item = element === undefined ? null : checkOf(element)
    return item === null ? null : (value) => Array.isArray(value) && value.every(item)
  },
  object: ({ shape = {} }) => {
    const fields = Object.entries(shape).map(([name, field]) => ({ name, accepts: checkOf(field) }))
    if (fields.some(({ accepts }) => accepts === null)) return null
    const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
    return (value) =>
      isObject(value) &&
      Object.keys(value).length === fields.length &&
      fields.every(({ name, accepts }) => Object.hasOwn(value, name) && accepts?.(value[name]) === true)
  },
  nullable: ({ innerType }) => {
    const inner = innerType === undefined ? null : checkOf(innerType)
    return (value) => value === null || inner?.(value) === true
  },
}

function checkOf(schema: z.core.$ZodType): Check | null {
  const definition = definitionOf(schema)
  const { type, checks = [] } = definition
  return checks.length > 0 ? null : (CHECKS[type]?.(definition) ?? null)
}

interface Field {
  readonly name: string
  readonly column: string
  /** Values that it accepts are read as they are, others by `parse`. */
  readonly accepts: Check
  readonly parse: (value: unknown) => unknown
}

function fieldOf(name: string, schema: z.core.$ZodType): Field {
  const parse = (value: unknown): unknown => z.parse(schema, value)
  const named = { name, column: snakeCase(name) }
  if (!isInstant(schema)) return { ...named, accepts: checkOf(schema) ?? (() => false), parse }
  return {
    ...{ ...named, accepts: (value) => isIso(value) || (value === null && schema !== instant) },
    parse: (value) => (value instanceof Date ? value.toISOString() : parse(value)),
  }
}

const isIso: Check = (value) => typeof value === 'string' && value.length === 24 && value.endsWith('Z')

function isInstant(schema: z.core.$ZodType): boolean {
  const { type, innerType } = definitionOf(schema)
  return schema === instant || (type === 'nullable' && innerType === instant)
}

function hasDate(schema: z.core.$ZodType): boolean {
  const { type, innerType, in: input } = definitionOf(schema)
  return type === 'date' || [innerType, input].some((inner) => inner !== undefined && hasDate(inner))
}

/** True: the rows have times, all of them `instant`, so that the connection may read them as text. */
export function hasOnlyInstants(schema: z.ZodMiniType): boolean {
  const fields = Object.values(definitionOf(schema).shape ?? {})
  return fields.some(isInstant) && fields.every((field) => isInstant(field) || !hasDate(field))
}

export function rowReader<Row>(schema: z.ZodMiniType<Row>): (row: QueryResultRow) => Row {
  const { shape } = definitionOf(schema)
  if (shape === undefined) return (row) => schema.parse(camelCaseRow(row))
  const fields = Object.entries(shape).map(([name, field]) => fieldOf(name, field))
  // A copy with all fields is filled faster than an object that grows.
  const empty: Readonly<Record<string, unknown>> = Object.fromEntries(fields.map(({ name }) => [name, null]))
  return (row) => {
    const read = { ...empty }
    for (const { name, column, accepts, parse } of fields) {
      const value: unknown = row[column]
      read[name] = accepts(value) ? value : parse(value)
    }
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
