import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let banco: TestDatabase
beforeAll(async () => {
  banco = await createTestDatabase()
})
afterAll(() => banco.drop())

const camel = (nome: string): string => nome.replaceAll(/_(\w)/g, (_, letra: string) => letra.toUpperCase())

const db = join(import.meta.dirname, '..', '..', 'src', 'db')

/** Tables and columns declared in the source text: types do not exist at run time. */
function declared(): Record<string, string[]> {
  const fonte = ['tables.ts', 'tables-conversas.ts', 'tables-lgpd.ts']
    .map((file) => readFileSync(join(db, file), 'utf8'))
    .join('\n')
  const campos = (interfaceName: string): string[][] => {
    const corpo = new RegExp(`interface ${interfaceName} \\{\\n([\\s\\S]*?)\\n\\}`).exec(fonte)?.[1] ?? ''
    return [...corpo.matchAll(/^ {2}(\w+): (.+)$/gm)].map(([, campo = '', tipo = '']) => [campo, tipo])
  }
  return Object.fromEntries(
    campos('Tables').map(([tabela = '', tipo = '']) => [
      tabela,
      campos(tipo)
        .map(([campo = '']) => campo)
        .toSorted(),
    ]),
  )
}

it('declares every table and column of the migrated database and no other', async () => {
  const { rows } = await banco.owner.query<{ tabela: string; colunas: string[] }>(
    `SELECT table_name AS tabela, array_agg(column_name::text) AS colunas FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> 'migracoes' GROUP BY table_name`,
  )
  const real = rows.map(({ tabela, colunas }) => [camel(tabela), colunas.map(camel).toSorted()])
  expect(declared()).toEqual(Object.fromEntries(real))
})
