/** SQL text with named, typed values. Numbers of placeholders and array literals are generated from it. */

interface TypeOfValue {
  readonly uuid: string
  readonly text: string
  readonly int: number
  readonly bigint: number
  readonly float8: number
  readonly bool: boolean
  readonly timestamptz: Date
  readonly date: string
  readonly jsonb: unknown
  readonly bytea: Buffer
}

type Scalar = keyof TypeOfValue
type List = `${Scalar}[]`
/** A PostgreSQL type. With `?` at the end null is allowed. */
type ValueType = Scalar | List | `${Scalar | List}?`
type ColumnType = Scalar | `${Scalar}?`

type TypeOf<T extends string> = T extends `${infer Some}?`
  ? TypeOf<Some> | null
  : T extends `${infer One extends Scalar}[]`
    ? readonly TypeOfValue[One][]
    : T extends Scalar
      ? TypeOfValue[T]
      : never

interface Part<in Values> {
  /** Never set. It carries the type of the values. */
  readonly accepts?: (values: Values) => void
}

interface Value<in Values> extends Part<Values> {
  readonly kind: 'value'
  readonly name: string
  readonly type: ValueType
}

interface Rows<in Values> extends Part<Values> {
  readonly kind: 'rows'
  readonly name: string
  readonly columns: readonly (readonly [string, ColumnType])[]
  readonly number: string | null
}

export interface Sql<in Values> extends Part<Values> {
  readonly kind: 'sql'
  readonly pieces: readonly Piece[]
}

type Piece = string | Value<never> | Rows<never>
type AnyPart = Value<never> | Rows<never> | Sql<never>

/** The values that all of the parts need. */
type ValuesOf<Parts extends readonly AnyPart[]> = Parts[number] extends Part<infer Values> ? Values : never

export function value<const Name extends string, const Type extends ValueType>(
  name: Name,
  type: Type,
): Value<Readonly<Record<Name, TypeOf<Type>>>> {
  return { kind: 'value', name, type }
}

export const contaId = value('contaId', 'uuid')
export const linhaId = value('linhaId', 'uuid')

type RowOf<Columns extends Readonly<Record<string, ColumnType>>> = {
  readonly [Column in keyof Columns]: Columns[Column] extends ColumnType ? TypeOf<Columns[Column]> : never
}

/**
 * A list of rows for FROM, as `unnest(…) as name (…)`. Fields are in camelCase, their columns in snake_case. `number`:
 * name of a further column with the position, from 1.
 */
export function columns<const Name extends string, const Columns extends Readonly<Record<string, ColumnType>>>(
  name: Name,
  types: Columns,
  { number = null }: { readonly number?: string | null } = {},
): Rows<Readonly<Record<Name, readonly RowOf<Columns>[]>>> {
  return { kind: 'rows', name, columns: Object.entries<ColumnType>(types), number }
}

type ChangesOf<Columns extends Readonly<Record<string, ColumnType>>> = {
  readonly [Column in keyof Columns]?: RowOf<Columns>[Column] | undefined
}

/**
 * Assignments for UPDATE from an object with some of the fields. The columns of its other fields keep their values.
 * Fields are in camelCase, their columns in snake_case.
 */
export function changes<const Name extends string, const Columns extends Readonly<Record<string, ColumnType>>>(
  name: Name,
  types: Columns,
): Sql<Readonly<Record<Name, ChangesOf<Columns>>>> {
  const given = value(name, 'jsonb')
  const pieces = Object.entries<ColumnType>(types).flatMap(([field, type], index): readonly Piece[] => {
    const column = snakeCase(field)
    const read = type.startsWith('jsonb') ? `-> '${field}')` : `->> '${field}')::${nameOf(type)}`
    const begin = `${index === 0 ? '' : ', '}${column} = case when `
    return [begin, given, ` ? '${field}' then (`, given, ` ${read} else ${column} end`]
  })
  return { kind: 'sql', pieces }
}

/** Joins text, values, columns and fragments. Text is written by us only, so it is not escaped. */
export function sql<const Parts extends readonly AnyPart[]>(
  texts: readonly string[],
  ...parts: Parts
): Sql<ValuesOf<Parts>> {
  const pieces = texts.flatMap((text, index): readonly Piece[] => {
    const part = parts[index]
    if (part === undefined) return [text]
    return part.kind === 'sql' ? [text, ...part.pieces] : [text, part]
  })
  return { kind: 'sql', pieces }
}

/** SQL text that was put together by code, such as a list of columns. It must not contain input. */
export function rawSql(text: string): Sql<unknown> {
  return { kind: 'sql', pieces: [text] }
}

export type SentValue = string | number | boolean | Buffer | null

export interface CompiledSql {
  readonly text: string
  readonly encode: (values: unknown) => SentValue[]
}

interface Placeholder {
  readonly name: string
  readonly type: string
  /** Null: the value itself, otherwise this field of each row. */
  readonly field: string | null
}

export function compileSql({ pieces }: Sql<never>): CompiledSql {
  const placeholders: Placeholder[] = []
  const numberOf = (name: string, type: string, field: string | null): string => {
    const known = placeholders.findIndex((one) => one.name === name && one.field === field)
    if (known !== -1 && placeholders[known]?.type !== type) throw new Error(`value ${name} has two types`)
    const index = known === -1 ? placeholders.push({ name, type, field }) - 1 : known
    return `$${index + 1}`
  }
  const textOf = (piece: Piece): string => {
    if (typeof piece === 'string') return piece
    if (piece.kind === 'value') return `${numberOf(piece.name, piece.type, null)}::${nameOf(piece.type)}`
    const { name, columns, number } = piece
    const lists = columns.map(([field, type]) => `${numberOf(name, `${nameOf(type)}[]`, field)}::${nameOf(type)}[]`)
    const names = [...columns.map(([field]) => snakeCase(field)), ...(number === null ? [] : [number])]
    const ordinality = number === null ? '' : ' with ordinality'
    return `unnest(${lists.join(', ')})${ordinality} as ${snakeCase(name)} (${names.join(', ')})`
  }
  const text = pieces.map(textOf).join('')
  const encoders = placeholders.map(encoderOf)
  return { text, encode: (values) => encoders.map((encoded) => encoded(values)) }
}

const nameOf = (type: string): string => type.replace('?', '')

/** How a placeholder is encoded is decided once for each statement, because a batch has hundreds of values. */
function encoderOf({ name, type, field }: Placeholder): (values: unknown) => SentValue {
  const bare = nameOf(type)
  const givenIn = (values: unknown): unknown => {
    const given = fieldOf(values, name)
    if (given === undefined) throw new Error(`value ${name} is missing`)
    return given
  }
  if (!bare.endsWith('[]')) return (values) => encode(givenIn(values), bare)
  const scalar = bare.slice(0, -2)
  const literalOf = LITERALS[scalar] ?? ((item) => plainLiteral(encode(item, scalar)))
  return (values) => {
    const given = givenIn(values)
    if (given === null) return null
    if (!Array.isArray(given)) throw new Error(`value ${name} is not a list`)
    const items: readonly unknown[] = given
    let literal = ''
    let separator = ''
    // Many columns repeat one value, such as the conta of all rows of a batch.
    let last: { readonly value: unknown; readonly literal: string } | null = null
    for (const item of items) {
      const value = field === null ? item : fieldOf(item, field)
      if (last === null || last.value !== value) last = { value, literal: literalOf(value) }
      literal += `${separator}${last.literal}`
      separator = ','
    }
    return `{${literal}}`
  }
}

const isRecord = (values: unknown): values is Readonly<Record<string, unknown>> =>
  typeof values === 'object' && values !== null

function fieldOf(values: unknown, name: string): unknown {
  return isRecord(values) ? values[name] : undefined
}

function encode(given: unknown, type: string): SentValue {
  if (given === null || given === undefined) return null
  if (type === 'jsonb') return JSON.stringify(given)
  if (given instanceof Date) return given.toISOString()
  if (typeof given === 'string') return withoutNul(given)
  if (typeof given === 'number' || typeof given === 'boolean' || Buffer.isBuffer(given)) return given
  throw new Error(`no ${type}: ${typeof given}`)
}

/** PostgreSQL text cannot contain NUL. */
const withoutNul = (text: string): string => (text.includes('\0') ? text.replaceAll('\0', '') : text)

/**
 * Items of array literals by type. Built here because the driver's general escaping costs more than the query. Types
 * without an entry, such as numbers and instants, have no character that must be quoted.
 */
const LITERALS: Readonly<Record<string, (item: unknown) => string>> = {
  text: (item) => quotedLiteral(item, 'text'),
  uuid: (item) => quotedLiteral(item, 'uuid'),
  jsonb: (item) => jsonLiteral(item),
}

const plainLiteral = (encoded: SentValue): string =>
  encoded === null || Buffer.isBuffer(encoded) ? 'NULL' : String(encoded)

const SPECIAL = /["\\\0]/
const SPECIALS = /["\\]/g

/** Most items need no escape, so one search decides. */
function quotedLiteral(item: unknown, type: string): string {
  if (typeof item === 'string' && !SPECIAL.test(item)) return `"${item}"`
  const encoded = encode(item, type)
  return encoded === null ? 'NULL' : `"${String(encoded).replace(SPECIALS, '\\$&')}"`
}

/**
 * JSON contains no control character and no lone surrogate. To quote such a text, JSON and PostgreSQL escape the same
 * two signs.
 */
function jsonLiteral(item: unknown): string {
  return item === null || item === undefined ? 'NULL' : JSON.stringify(JSON.stringify(item))
}

/** Columns are in snake_case, fields of objects in camelCase. */

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function camelCase(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
