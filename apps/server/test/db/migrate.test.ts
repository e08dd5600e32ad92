import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { type ConnectionTarget, createPool } from '#db/connection.ts'
import { migrate } from '#db/migrate.ts'

const banco = inject('banco')
let admin: Pool
let owner: Pool
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
  folder = await mkdtemp(join(tmpdir(), 'balcao-migracoes-'))
  await write('0001_notas.sql', 'create table notas (texto text); insert into notas values (1)')
})
afterEach(async () => {
  await owner.end()
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
})
