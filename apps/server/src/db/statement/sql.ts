/** PostgreSQL array literals. Built here because the driver's general escaping costs more than the query. */

/** Only for values without quotes, commas, braces or spaces: ids, numbers, dates, instants, constants. */
function plainArray(values: readonly (string | number | boolean | null)[]): string {
  return `{${values.map((value) => value ?? 'NULL').join(',')}}`
}

const SPECIAL = /["\\]/
const SPECIALS = /["\\]/g

function textArray(values: readonly (string | null)[]): string {
  return `{${values.map(quotedText).join(',')}}`
}

function quotedText(value: string | null): string {
  if (value === null) return 'NULL'
  // PostgreSQL text cannot contain NUL.
  const clean = value.includes('\0') ? value.replaceAll('\0', '') : value
  return `"${SPECIAL.test(clean) ? clean.replace(SPECIALS, '\\$&') : clean}"`
}

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
  return { text, encode: (values) => placeholders.map((placeholder) => encodeFrom(values, placeholder)) }
}

const nameOf = (type: string): string => type.replace('?', '')

function encodeFrom(values: unknown, { name, type, field }: Placeholder): SentValue {
  const given = fieldOf(values, name)
  if (given === undefined) throw new Error(`value ${name} is missing`)
  const bare = nameOf(type)
  if (!bare.endsWith('[]')) return encode(given, bare)
  if (given === null) return null
  if (!Array.isArray(given)) throw new Error(`value ${name} is not a list`)
  const items: readonly unknown[] = given
  const scalar = bare.slice(0, -2)
  return encodeList(field === null ? items : items.map((row) => fieldOf(row, field)), scalar)
}

function fieldOf(values: unknown, name: string): unknown {
  return typeof values === 'object' && values !== null ? Reflect.get(values, name) : undefined
}

function encode(given: unknown, type: string): SentValue {
  if (given === null || given === undefined) return null
  if (type === 'jsonb') return JSON.stringify(given)
  if (given instanceof Date) return given.toISOString()
  if (typeof given === 'string') return given.includes('\0') ? given.replaceAll('\0', '') : given
  if (typeof given === 'number' || typeof given === 'boolean' || Buffer.isBuffer(given)) return given
  throw new Error(`no ${type}: ${typeof given}`)
}

const QUOTED = new Set(['text', 'uuid', 'jsonb'])

function encodeList(items: readonly unknown[], type: string): string {
  const encoded = items.map((item) => encode(item, type))
  if (!QUOTED.has(type)) return plainArray(encoded.map((item) => (Buffer.isBuffer(item) ? null : item)))
  return textArray(encoded.map((item) => (item === null ? null : String(item))))
}

/** Columns are in snake_case, fields of objects in camelCase. */

export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

export function camelCase(column: string): string {
  return column.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
