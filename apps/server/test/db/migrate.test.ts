import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type ConnectionTarget, createPool } from '#db/connection.ts'
import { migrate } from '#db/migrate/migrate.ts'
import { createdTables, refusalsOf } from './migration-rules.ts'

const banco = inject('banco')
let admin: Pool
let owner: Pool
/** As another process. */
let other: Pool
let target: ConnectionTarget & { readonly database: string }
let folder: string

beforeAll(() => {
  admin = createPool({ ...banco, database: 'postgres' }, { max: 1 })
})
afterAll(() => admin.end())

beforeEach(async () => {
  target = { ...banco, database: `m_${randomBytes(6).toString('hex')}` }
  await admin.query(`CREATE DATABASE ${target.database}`)
  owner = createPool(target, { max: 3 })
  other = createPool(target, { max: 1 })
  folder = await mkdtemp(join(tmpdir(), 'balcao-migracoes-'))
  await write('0001_notas.sql', 'create table notas (texto text); insert into notas values (1)')
})
afterEach(async () => {
  await owner.end()
  await other.end()
  await admin.query(`DROP DATABASE ${target.database} WITH (FORCE)`)
  await rm(folder, { recursive: true })
})

const write = (name: string, sql: string): Promise<void> => writeFile(join(folder, name), sql)

describe('migrate', () => {
  it('applies each file once, in order, and records it', async () => {
    await write('0002_mais.sql', 'insert into notas values (2)')
    expect(await migrate(owner, { folder })).toEqual(['0001_notas.sql', '0002_mais.sql'])
    expect(await migrate(owner, { folder })).toEqual([])
    const { rows } = await owner.query('SELECT texto FROM notas ORDER BY texto')
    expect(rows).toEqual([{ texto: '1' }, { texto: '2' }])
  })

  it('throws if an applied file was edited', async () => {
    await migrate(owner, { folder })
    await write('0001_notas.sql', 'create table notas (texto text, autor text)')
    await expect(migrate(owner, { folder })).rejects.toThrow('0001_notas.sql já foi aplicada e seu arquivo mudou')
  })

  it('throws if a newer version migrated the database', async () => {
    await write('0002_mais.sql', 'insert into notas values (2)')
    await migrate(owner, { folder })
    await rm(join(folder, '0002_mais.sql'))
    await expect(migrate(owner, { folder })).rejects.toThrow('versão mais nova do Balcão')
  })

  it('rolls back a failing file and keeps the earlier ones', async () => {
    await write('0002_quebra.sql', 'create table outras (n int); select 1/0')
    await expect(migrate(owner, { folder })).rejects.toThrow('0002_quebra.sql falhou e foi desfeita: division by zero')
    const { rows } = await owner.query(`SELECT to_regclass('outras') AS outras, to_regclass('notas')::text AS notas`)
    expect(rows).toEqual([{ outras: null, notas: 'notas' }])
    const { rows: applied } = await owner.query('SELECT nome FROM migracoes')
    expect(applied).toEqual([{ nome: '0001_notas.sql' }])
  })

  it('runs on the first of several nodes while the others wait', async () => {
    const other = createPool(target, { max: 1 })
    const done = await Promise.all([migrate(owner, { folder }), migrate(other, { folder }), migrate(owner, { folder })])
    await other.end()
    expect(done.flat()).toEqual(['0001_notas.sql'])
  })
})

describe('migrate beside running nodes', () => {
  const BESIDE = '-- desde: 1.0.0\n'

  it('waits for a long reader in short tries, so that no statement waits for the whole time', async () => {
    await migrate(owner, { folder })
    await write('0002_coluna.sql', `${BESIDE}alter table notas add column autor text`)
    const reader = await owner.connect()
    await reader.query('begin')
    await reader.query('select * from notas')
    const migrated = migrate(owner, { folder, lockMs: 100 })
    const waits: number[] = []
    for (const end = performance.now() + 1_000; performance.now() < end;) {
      const begun = performance.now()
      await other.query('insert into notas (texto) values (2)')
      waits.push(performance.now() - begun)
    }
    await reader.query('commit')
    reader.release()
    expect(await migrated).toEqual(['0002_coluna.sql'])
    expect(Math.max(...waits)).toBeLessThan(700)
    expect(Math.max(...waits)).toBeGreaterThan(50)
  })

  it('builds an index while a transaction writes, and again after an interrupted build', async () => {
    await migrate(owner, { folder })
    await owner.query('insert into notas values (2), (2)')
    await expect(owner.query('create unique index concurrently notas_texto on notas (texto)')).rejects.toThrow()
    await owner.query('delete from notas')
    await write(
      '0002_indice.sql',
      `${BESIDE}-- concorrente\ncreate unique index concurrently notas_texto on notas (texto)`,
    )
    const crashPoint = (): void => {
      throw new Error('interrupted')
    }
    await expect(migrate(owner, { folder, crashPoint })).rejects.toThrow('interrupted')
    const [first, second] = await Promise.all([migrate(owner, { folder }), migrate(other, { folder })])
    expect([...first, ...second]).toEqual(['0002_indice.sql'])
    const { rows } = await owner.query(`select indisvalid from pg_index where indexrelid = 'notas_texto'::regclass`)
    expect(rows).toEqual([{ indisvalid: true }])
  })

  it('fills a column in parts, and goes on after an interruption', async () => {
    await migrate(owner, { folder })
    await owner.query(
      `alter table notas add column autor text; insert into notas select n from generate_series(1, 25) n`,
    )
    await write(
      '0002_autores.sql',
      `${BESIDE}-- em partes\nupdate notas set autor = 'Ana' where ctid = any (array(select ctid from notas where autor is null limit 10))`,
    )
    let parts = 0
    const crashPoint = (): void => {
      parts += 1
      if (parts === 2) throw new Error('interrupted')
    }
    await expect(migrate(owner, { folder, crashPoint })).rejects.toThrow('interrupted')
    const open = 'select count(*)::int as n from notas where autor is null'
    expect((await owner.query(open)).rows).toEqual([{ n: 16 }])
    expect(await migrate(owner, { folder })).toEqual(['0002_autores.sql'])
    expect((await owner.query(open)).rows).toEqual([{ n: 0 }])
  })
})

describe('migrations of the product', () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'migrations', name), 'utf8')
  const names = readdirSync(join(import.meta.dirname, '..', '..', 'migrations')).toSorted()
  /** Applied before the rules existed. */
  const LAST_WITHOUT_RULES = '0155'

  it('follow the rules for files that earlier versions may run beside', () => {
    const checked = names.filter((name) => name.slice(0, 4) > LAST_WITHOUT_RULES && read(name).startsWith('-- desde'))
    const existing = new Set(names.flatMap((name) => (checked.includes(name) ? [] : createdTables(read(name)))))
    for (const name of checked) expect([name, refusalsOf(read(name), existing)]).toEqual([name, []])
  })

  it.each([
    ['alter table contas add column x text generated always as (nome) stored', 'stored'],
    ['create index contas_x on contas (nome)', 'concurrently'],
    ['create unique index contas_x on contas (nome)', 'concurrently'],
    ['alter table contas alter column nome type varchar', 'type'],
    ['alter table contas add column x text not null', 'not null'],
    ['alter table contas add column x uuid default gen_random_uuid()', 'volatile'],
    ['alter table contas add constraint x check (nome <> $$$$)', 'not valid'],
    ['alter table contas alter column nome set not null', 'set not null'],
    ['update contas set nome = nome', 'em partes'],
    ['lock table contas', 'lock'],
    ['-- concorrente\ncreate index concurrently x on contas (nome); select 1', 'one statement'],
    ['create index concurrently x on contas (nome)', 'concorrente'],
  ])('refuse %s', (sql, reason) => {
    expect(refusalsOf(`-- desde: 2.0.0\n${sql}`, new Set(['contas'])).join()).toContain(reason)
  })

  it.each([
    'create table novas (id uuid); create index novas_id on novas (id); update novas set id = null',
    'alter table contas add column x text, add column y int not null default 0',
    'alter table contas add constraint x check (nome <> $$$$) not valid',
    '-- concorrente\ncreate index concurrently x on contas (nome)',
    '-- em partes\nupdate contas set nome = nome where id = any (array(select id from contas limit 10))',
  ])('allow %s', (sql) => {
    expect(refusalsOf(`-- desde: 2.0.0\n${sql}`, new Set(['contas']))).toEqual([])
  })
})

describe('migrate on a database of a newer version', () => {
  /** Runs the folder as a newer version and then takes these files away, as in the older version. */
  async function migratedWith(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [name, sql] of Object.entries(files)) await write(name, sql)
    await migrate(owner, { folder })
    for (const name of Object.keys(files)) await rm(join(folder, name))
  }
  const start = (version: string): Promise<readonly string[]> => migrate(owner, { folder, version })

  it('goes on if each unknown migration allows its version', async () => {
    await migratedWith({
      '0002_mais.sql': '-- desde: 2.9.0\ncreate table mais (n int)',
      '0003_outra.sql': '-- desde: 2.10.0\r\ncreate table outra (n int)',
    })
    await expect(start('v2.10.0')).resolves.toEqual([])
    await expect(start('2.9.5')).rejects.toThrow('tem a migração 0003_outra.sql')
    await expect(start('2.8.9')).rejects.toThrow('tem a migração 0002_mais.sql')
  })

  it('throws if one unknown migration lacks the line', async () => {
    await migratedWith({
      '0002_mais.sql': '-- desde: 1.0.0\ncreate table mais (n int)',
      '0003_outra.sql': '-- Text.\n-- desde: 1.0.0\ncreate table outra (n int)',
    })
    await expect(start('2.0.0')).rejects.toThrow(
      'O banco de dados é de uma versão mais nova do Balcão (tem a migração 0003_outra.sql). Atualize o Balcão.',
    )
  })

  it('throws if the database lacks a migration of this version', async () => {
    await migratedWith({ '0003_outra.sql': '-- desde: 1.0.0\ncreate table outra (n int)' })
    await write('0002_mais.sql', 'create table mais (n int)')
    await expect(start('2.0.0')).rejects.toThrow('tem a migração 0003_outra.sql')
    const { rows } = await owner.query(`SELECT to_regclass('mais') AS mais`)
    expect(rows).toEqual([{ mais: null }])
  })

  it('throws if an applied file was edited', async () => {
    await migratedWith({ '0002_mais.sql': '-- desde: 1.0.0\ncreate table mais (n int)' })
    await write('0001_notas.sql', 'create table notas (texto text, autor text)')
    await expect(start('2.0.0')).rejects.toThrow('0001_notas.sql já foi aplicada e seu arquivo mudou')
  })

  it('keeps the append-only tables of the newer version', async () => {
    await migratedWith({
      '0002_trilha.sql': '-- desde: 1.0.0\n-- append-only: trilha\ncreate table trilha (n int)',
    })
    // A table without rights makes a program grant all rights again.
    await owner.query('CREATE TABLE nova (n int)')
    await start('2.0.0')
    const app = createPool(target, { role: 'balcao_app', max: 1 })
    await app.query('INSERT INTO trilha VALUES (1)')
    await app.query('UPDATE notas SET texto = 2')
    await expect(app.query('DELETE FROM trilha')).rejects.toThrow(/permission denied/)
    await app.end()
  })

  it('throws if the version in the first line is incomplete', async () => {
    await write('0002_mais.sql', '-- desde: 2.1\ncreate table mais (n int)')
    await expect(migrate(owner, { folder })).rejects.toThrow('0002_mais.sql')
  })

  it('adds the column to a database that an older program migrated', async () => {
    await migrate(owner, { folder })
    await owner.query('ALTER TABLE migracoes DROP COLUMN desde')
    await write('0002_mais.sql', '-- desde: 1.0.0\ncreate table mais (n int)')
    expect(await migrate(owner, { folder })).toEqual(['0002_mais.sql'])
    const { rows } = await owner.query('SELECT nome, desde FROM migracoes ORDER BY nome')
    expect(rows).toEqual([
      { nome: '0001_notas.sql', desde: null },
      { nome: '0002_mais.sql', desde: '1.0.0' },
    ])
  })
})

describe('working role', () => {
  it('changes rows but only inserts into append-only tables and never into migracoes', async () => {
    await write('0002_trilha.sql', '-- append-only: trilha\ncreate table trilha (n int)')
    await migrate(owner, { folder })
    const app = createPool(target, { role: 'balcao_app', max: 1 })
    await app.query('UPDATE notas SET texto = 2')
    await app.query('INSERT INTO trilha VALUES (1)')
    for (const forbidden of [
      'UPDATE trilha SET n = 2',
      'DELETE FROM trilha',
      'DELETE FROM migracoes',
      'CREATE TABLE x ()',
    ]) {
      await expect(app.query(forbidden)).rejects.toThrow(/permission denied/)
    }
    await app.end()
  })

  it('gets its rights again in an imported database without them', async () => {
    await migrate(owner, { folder })
    await owner.query('REVOKE ALL ON notas FROM balcao_app')
    expect(await migrate(owner, { folder })).toEqual([])
    const app = createPool(target, { role: 'balcao_app', max: 1 })
    expect((await app.query('SELECT texto FROM notas')).rowCount).toBe(1)
    await app.end()
  })

  it('stays active if the URL names another role', async () => {
    await migrate(owner, { folder })
    const { host, user, password, database } = { ...banco, database: target.database }
    const options = encodeURIComponent('-c role=none -c work_mem=2MB')
    const url = `postgres://${user}:${password}@/${database}?host=${encodeURIComponent(host)}&options=${options}`
    const app = createPool({ url }, { role: 'balcao_app', max: 1 })
    const { rows } = await app.query(`SELECT current_user AS quem, current_setting('work_mem') AS memoria`)
    await app.end()
    expect(rows).toEqual([{ quem: 'balcao_app', memoria: '2MB' }])
  })
})

describe('migrate with a user that may not create roles', () => {
  const papel = `limitado_${randomBytes(4).toString('hex')}`
  let limited: Pool

  beforeEach(async () => {
    await admin.query(`CREATE ROLE ${papel} LOGIN PASSWORD '${banco.password}'`)
    await admin.query(`ALTER DATABASE ${target.database} OWNER TO ${papel}`)
    limited = createPool({ ...target, user: papel }, { max: 1 })
  })
  afterEach(async () => {
    await limited.end()
    await owner.query(`REASSIGN OWNED BY ${papel} TO CURRENT_USER; DROP OWNED BY ${papel}; DROP ROLE ${papel}`)
  })

  it('throws with the command for the administrator and works after it', async () => {
    const command = `GRANT balcao_app TO ${papel};`
    await expect(migrate(limited, { folder })).rejects.toThrow(command)
    await admin.query(command)
    expect(await migrate(limited, { folder })).toEqual(['0001_notas.sql'])
  })

  it('throws with the commands for the extensions of the search and works after them', async () => {
    await admin.query(`GRANT balcao_app TO ${papel}; ALTER DATABASE ${target.database} OWNER TO CURRENT_USER`)
    await owner.query(
      `GRANT ALL ON SCHEMA public TO ${papel}; CREATE SCHEMA fora; CREATE EXTENSION pg_trgm SCHEMA fora`,
    )
    const commands =
      'CREATE EXTENSION IF NOT EXISTS unaccent SCHEMA public; ALTER EXTENSION pg_trgm SET SCHEMA public; ' +
      'CREATE EXTENSION IF NOT EXISTS btree_gin SCHEMA public;'
    await expect(migrate(limited, { folder })).rejects.toThrow(`execute nele como superusuário: ${commands}`)
    await owner.query(commands)
    expect(await migrate(limited, { folder })).toEqual(['0001_notas.sql'])
    await admin.query(`ALTER DATABASE ${target.database} OWNER TO ${papel}`)
  })
})
