import type { Connection, Submittable } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { instant } from '#db/statement/fields.ts'
import { camelCase } from '#db/statement/sql.ts'
import { rowReader } from '#db/statement/rows.ts'
import { listStatements, type Statement } from '#db/statement/statement.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
// Loads all modules of the product.
import '#test/app.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

interface Column {
  readonly name: string
  /** Object id of its PostgreSQL type. */
  readonly dataTypeID: number
}

/** Parses a statement without running it. Resolves with the columns of its rows. */
class Description implements Submittable {
  readonly #text: string
  readonly #settled = Promise.withResolvers<readonly Column[]>()
  #columns: readonly Column[] = []

  constructor(text: string) {
    this.#text = text
  }

  get columns(): Promise<readonly Column[]> {
    return this.#settled.promise
  }

  submit(connection: Connection): void {
    connection.parse({ name: '', text: this.#text, types: [] }, true)
    connection.describe({ type: 'S', name: '' }, true)
    connection.sync()
  }

  handleRowDescription({ fields }: { readonly fields: readonly Column[] }): void {
    this.#columns = fields
  }

  handleReadyForQuery(): void {
    this.#settled.resolve(this.#columns)
  }

  handleError(error: Error): void {
    this.#settled.reject(error)
  }
}

const NUMBERS = new Set([20, 21, 23, 26, 700, 701, 1700])
const TEXTS = new Set([18, 19, 25, 1042, 1043, 1082, 2950])
const LISTS = new Set([1000, 1005, 1007, 1009, 1015, 1016, 1022, 1231, 2951])
const JSONS = new Set([114, 3802])

/** Kinds of schemas that read a column of this type. */
function kindsOf(dataTypeID: number): readonly string[] {
  if (NUMBERS.has(dataTypeID)) return ['number', 'literal']
  if (TEXTS.has(dataTypeID)) return ['string', 'enum', 'literal']
  if (dataTypeID === 16) return ['boolean']
  if (dataTypeID === 17) return ['custom']
  if (dataTypeID === 1184) return ['date']
  if (LISTS.has(dataTypeID)) return ['array']
  return JSONS.has(dataTypeID) ? ['object', 'array', 'record', 'unknown', 'union', 'string', 'number'] : []
}

interface Definition {
  readonly type: string
  /** Of a nullable schema. */
  readonly innerType?: z.core.$ZodType
  /** Of a pipe. */
  readonly in?: z.core.$ZodType
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>
}

const definitionOf = (schema: z.core.$ZodType): Definition => schema._zod.def

function kindOf(schema: z.core.$ZodType): string {
  const { type, innerType, in: input } = definitionOf(schema)
  const inner = innerType ?? input
  return inner === undefined ? type : kindOf(inner)
}

function misfits({ row }: Statement, columns: readonly Column[]): string[] {
  const fields = new Map(Object.entries(row === null ? {} : (definitionOf(row).shape ?? {})))
  const wrong = columns.flatMap(({ name, dataTypeID }) => {
    const schema = fields.get(camelCase(name))
    fields.delete(camelCase(name))
    if (schema === undefined) return row === null ? [] : [`column ${name} has no field`]
    const kind = kindOf(schema)
    return kindsOf(dataTypeID).includes(kind) ? [] : [`column ${name} of type ${dataTypeID} is read as ${kind}`]
  })
  return [...wrong, ...[...fields.keys()].map((field) => `field ${field} has no column`)]
}

it('has columns and types that the schema of its rows reads, for each statement of the product', async () => {
  const wrong: string[] = []
  const client = await database.owner.connect()
  try {
    for (const statement of listStatements()) {
      const description = client.query(new Description(statement.text))
      const found = await description.columns.then(
        (columns) => misfits(statement, columns),
        (error: unknown) => [String(error)],
      )
      wrong.push(...found.map((text) => `${statement.name}: ${text}`))
    }
  } finally {
    client.release()
  }
  expect(wrong).toEqual([])
  expect(listStatements().length).toBeGreaterThan(0)
})

it.each([{ nome: 1 }, { nome: null }, { criada_em: 'ontem' }, { total: 0.5 }, { estado: 'outro' }])(
  'refuses a row with a value that its schema does not accept: %j',
  (wrong) => {
    const read = rowReader(
      z.object({ nome: z.string(), criadaEm: z.nullable(instant), total: z.int(), estado: z.enum(['novo']) }),
    )
    const row = { nome: 'Ana', criada_em: new Date(0), total: 1, estado: 'novo' }
    expect(read(row)).toEqual({ nome: 'Ana', criadaEm: '1970-01-01T00:00:00.000Z', total: 1, estado: 'novo' })
    expect(() => read({ ...row, ...wrong })).toThrow(z.core.$ZodError)
  },
)

it.each([
  [
    { id: 'a', nome: 'Loja' },
    { id: 'a', nome: 'Loja' },
  ],
  [
    { id: 'a', nome: 'Loja', senha: 'x' },
    { id: 'a', nome: 'Loja' },
  ],
])('reads %j of a JSON column with the fields of its schema alone', (stored, expected) => {
  const read = rowReader(z.object({ linha: z.object({ id: z.string(), nome: z.string() }) }))
  expect(read({ linha: stored })).toEqual({ linha: expected })
  expect(() => read({ linha: { ...stored, nome: 1 } })).toThrow(z.core.$ZodError)
  expect(() => read({ linha: { id: 'a', endereco: 'x' } })).toThrow(z.core.$ZodError)
})
