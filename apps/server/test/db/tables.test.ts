import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const db = join(import.meta.dirname, '..', '..', 'src', 'db')

/** Tables and columns declared in the source text: types do not exist at run time. */
function declared(): Record<string, string[]> {
  const files = readdirSync(db, { recursive: true, encoding: 'utf8' }).filter((file) => /^tables[^.]*\.ts$/.test(file))
  const source = files.map((file) => readFileSync(join(db, file), 'utf8')).join('\n')
  const fields = (interfaceName: string): string[][] => {
    const body =
      new RegExp(`interface ${interfaceName}(?: extends [\\w, ]+?)? \\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? ''
    return [...body.matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, field = '', tipo = '']) => [field, tipo])
  }
  const parts = (/interface Tables extends ([\w, ]+) \{/.exec(source)?.[1] ?? '').split(', ')
  return Object.fromEntries(
    [...fields('Tables'), ...parts.flatMap(fields)].map(([table = '', tipo = '']) => [
      table,
      fields(tipo)
        .map(([field = '']) => field)
        .toSorted(),
    ]),
  )
}

it('declares every table and column of the migrated database and no other', async () => {
  const { rows } = await database.owner.query<{ tabela: string; colunas: string[] }>(
    `SELECT table_name AS tabela, array_agg(column_name::text) AS colunas FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> 'migracoes' GROUP BY table_name`,
  )
  const real = rows.map(({ tabela, colunas }) => [camel(tabela), colunas.map(camel).toSorted()])
  expect(declared()).toEqual(Object.fromEntries(real))
})
