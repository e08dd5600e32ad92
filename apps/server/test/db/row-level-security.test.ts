import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** Tables with a conta_id but without row-level security: logins and mails are read before the conta is known. */
const SEM_MURO = ['emails', 'usuarios']
const TRILHA = ['auditoria']

describe('tables with conta_id', () => {
  it('have forced row-level security and a primary key that starts with conta_id or a line', async () => {
    const { rows } = await database.owner.query<{ t: string; muro: boolean; obrigatoria: boolean; chave: string }>(
      `select c.relname as t, c.relrowsecurity and c.relforcerowsecurity and exists (select from pg_policy p where p.polrelid = c.oid) as muro,
              a.attnotnull as obrigatoria,
              coalesce((select pg_get_constraintdef(k.oid) from pg_constraint k where k.conrelid = c.oid and k.contype = 'p'), '') as chave
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'conta_id' and not a.attisdropped
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
    )
    expect(rows.length).toBeGreaterThan(20)
    const fora = rows.filter(({ muro }) => !muro).map(({ t }) => t)
    expect(fora).toEqual(SEM_MURO)
    // Rows that are older than lines have no conta_id. The first line has the id of the conta.
    const ofLines = rows.filter(({ t }) => t.startsWith('linhas_'))
    expect(ofLines.map(({ chave }) => chave.startsWith('PRIMARY KEY (linha_id'))).toEqual(ofLines.map(() => true))
    const dentro = rows.filter(({ t }) => ![...SEM_MURO, ...TRILHA].includes(t) && !t.startsWith('linhas_'))
    for (const { t, obrigatoria, chave } of dentro) {
      expect([t, obrigatoria, chave.startsWith('PRIMARY KEY (conta_id')]).toEqual([t, true, true])
    }
  })
})

it('functions with the rights of their owner have a fixed path and belong to the working role alone', async () => {
  const { rows } = await database.owner.query<{ f: string; caminho: string; todos: boolean; papel: boolean }>(
    `select p.proname as f, has_function_privilege('balcao_app', p.oid, 'execute') as papel,
       coalesce((select c from unnest(p.proconfig) c where c like 'search_path=%'), '') as caminho,
       exists (select from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a where a.grantee = 0) as todos
     from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef order by 1`,
  )
  expect(rows.length).toBeGreaterThan(3)
  const path = 'search_path=pg_catalog, public, pg_temp'
  for (const row of rows) expect(row).toEqual({ f: row.f, caminho: path, todos: false, papel: true })
})

it('sets app.contas in every migration that changes rows of a protected table', async () => {
  const { rows } = await database.owner.query<{ t: string }>(
    `select relname as t from pg_class where relforcerowsecurity and relnamespace = 'public'::regnamespace`,
  )
  const muda = new RegExp(`^(update|delete from|insert into) (${rows.map(({ t }) => t).join('|')})\\b`, 'm')
  const folder = join(import.meta.dirname, '..', '..', 'migrations')
  const arquivos = await Promise.all(
    (await readdir(folder)).map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
  )
  // The program sets it before each part of a file.
  const mudam = arquivos.filter(([, sql = '']) => muda.test(sql) && !sql.includes('-- em partes'))
  expect(mudam.map(([name]) => name)).toContain('0042_atividade.sql')
  for (const [name, sql] of mudam)
    expect([name, sql]).toEqual([name, expect.stringContaining("set_config('app.contas'")])
})

it('gives the working role no special rights', async () => {
  const { rows } = await database.owner.query(
    `select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = 'balcao_app'`,
  )
  expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, rolcreatedb: false, rolcreaterole: false }])
})
