import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDiskFiles } from '#adapters/disk/files.ts'
import { createIds } from '#ids.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { deleteExpiredContas } from '#modules/retencao/delete-contas.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

let database: TestDatabase
let dir: string
beforeAll(async () => {
  database = await createTestDatabase()
  dir = await mkdtemp(join(tmpdir(), 'balcao-apagar-'))
})
afterAll(async () => {
  await database.drop()
  await rm(dir, { recursive: true, force: true })
})

const DIA_MS = 86_400_000
const PROPRIAS = ['contas', 'usuarios', 'auditoria']

/** Tables with a `conta_id`, read from the catalog, so new tables are tested automatically. */
async function tabelas(): Promise<string[]> {
  const { rows } = await database.owner.query<{ tabela: string }>(
    `select c.table_name::text as tabela from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where table_schema = 'public' and c.column_name = 'conta_id' and t.table_type = 'BASE TABLE' order by 1`,
  )
  return rows.map(({ tabela }) => tabela)
}

const VALOR: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: 'gen_random_uuid()::text',
  'timestamp with time zone': 'clock_timestamp()',
  date: "'2026-01-01'::date + (random() * 20000)::int",
  jsonb: "'{}'",
  bytea: "decode(md5(random()::text), 'hex')",
  boolean: 'true',
  ARRAY: "'{}'",
  tsvector: "''",
}

/**
 * Inserts rows of one conta into every table, without constraints, because their content is not tested here. The
 * conta has no legal hold.
 */
async function seed(contaId: string, times: number): Promise<void> {
  const client = await database.owner.connect()
  try {
    await client.query("set session_replication_role = replica; set app.contas = '*'")
    const { rows: regras } = await client.query<{ sql: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as sql from pg_constraint
        where contype = 'c' and connamespace = 'public'::regnamespace`,
    )
    for (const { sql } of regras) await client.query(sql)
    for (const table of (await tabelas()).filter((name) => !PROPRIAS.includes(name))) {
      const { rows: columns } = await client.query<{ nome: string; tipo: string }>(
        `select column_name::text as nome, data_type::text as tipo from information_schema.columns
          where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER' and is_identity = 'NO'
            and column_name <> 'conta_id' and (is_nullable = 'NO' or column_name = 'no')`,
        [table],
      )
      const names = ['conta_id', ...columns.map(({ nome }) => `"${nome}"`)]
      const values = ['$1::uuid', ...columns.map(({ tipo }) => VALOR[tipo] ?? '(random() * 30000)::int')]
      const count = (await isUmaPorConta(table)) ? 1 : times
      await client.query(
        `insert into ${table} (${names.join(', ')}) select ${values.join(', ')} from generate_series(1, ${count})`,
        [contaId],
      )
    }
    await client.query('update privacidade set guarda_legal = false where conta_id = $1', [contaId])
  } finally {
    await client.query('set session_replication_role = origin; reset app.contas')
    client.release()
  }
}

async function isUmaPorConta(table: string): Promise<boolean> {
  const { rowCount } = await database.owner.query(
    `select 1 from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
      where i.indrelid = $1::regclass and i.indisunique and i.indnkeyatts = 1 and a.attname = 'conta_id'`,
    [table],
  )
  return rowCount !== 0
}

async function conta(excluidaEm: Date | null): Promise<{ contaId: string; usuarioId: string }> {
  const ids = createIds({ now: () => new Date() })
  const [contaId, usuarioId] = [ids.uuid(), ids.uuid()]
  await database.owner.query(
    `insert into contas (id, empresa, limite_mensagens_dia, componentes_permitidos, excluida_em) values ($1, 'Loja', 9, '{}', $2)`,
    [contaId, excluidaEm],
  )
  await database.owner.query(
    `insert into usuarios (id, conta_id, nome, email, tipo, status, excluido_em, volta_com_conta)
     values ($1, $2, 'Ana Sigilosa', $3, 'usuario', 'ativo', $4, $4::timestamptz is not null)`,
    [usuarioId, contaId, `sigilosa-${usuarioId}@loja.test`, excluidaEm],
  )
  await database.owner.query('insert into sessoes (token_hash, usuario_id, expira_em) values ($1, $2, now())', [
    Buffer.from(usuarioId),
    usuarioId,
  ])
  return { contaId, usuarioId }
}

async function linhas(contaId: string): Promise<Record<string, number>> {
  const counted: Record<string, number> = {}
  for (const table of await tabelas()) {
    const { rows } = await database.owner.query<{ n: number }>(
      `select count(*)::int as n from ${table} where conta_id = $1`,
      [contaId],
    )
    counted[table] = rows[0]?.n ?? 0
  }
  return counted
}

const ARQUIVO = `${'a'.repeat(32)}.webp`

it('erases all rows and files of an account 30 days after its deletion', async () => {
  const clock = { now: () => new Date() }
  const files = createDiskFiles({ dir })
  const deps = { db: database.db, clock, ids: createIds(clock), files }
  const vencida = await conta(new Date(Date.now() - 31 * DIA_MS))
  const noPrazo = await conta(new Date(Date.now() - 29 * DIA_MS))
  const alive = await conta(null)
  for (const { contaId, usuarioId } of [vencida, noPrazo, alive]) {
    await seed(contaId, 3)
    await files.write(contaId, ARQUIVO, Buffer.from('bytes'))
    const quem = {
      usuarioId,
      contaId,
      nome: 'Ana Sigilosa',
      email: `sigilosa-${usuarioId}@loja.test`,
      ip: '203.0.113.9',
    }
    await database.db.transaction(contaId, (tx) => recordAuditoria(tx, deps, { acao: 'entrar', quem }))
  }
  const before = { noPrazo: await linhas(noPrazo.contaId), viva: await linhas(alive.contaId) }
  for (const [table, count] of Object.entries(await linhas(vencida.contaId))) expect(count, table).toBeGreaterThan(0)

  expect(await deleteExpiredContas(deps)).toBeGreaterThan(30)

  const after = await linhas(vencida.contaId)
  expect(Object.entries(after).filter(([, count]) => count > 0)).toEqual([])
  const { rows: sobrou } = await database.owner.query(
    `select (select count(*)::int from contas where id = $1) as contas,
            (select count(*)::int from sessoes where usuario_id = $2) as sessoes,
            (select count(*)::int from auditoria a where a::text like '%' || $2 || '@%' or (quem_id = $2 and a::text like '%Sigilosa%')) as nomes`,
    [vencida.contaId, vencida.usuarioId],
  )
  expect(sobrou).toEqual([{ contas: 0, sessoes: 0, nomes: 0 }])
  expect(await files.read(vencida.contaId, ARQUIVO)).toBeNull()

  expect({ noPrazo: await linhas(noPrazo.contaId), viva: await linhas(alive.contaId) }).toEqual(before)
  for (const { contaId } of [noPrazo, alive]) expect(await files.read(contaId, ARQUIVO)).not.toBeNull()

  const { rows: trilha } = await database.owner.query(
    `select acao, quem_id, alvo_id, ip from auditoria where quem_id = $1 or alvo_id = $2 order by id`,
    [vencida.usuarioId, vencida.contaId],
  )
  expect(trilha).toEqual([
    { acao: 'entrar', quem_id: vencida.usuarioId, alvo_id: null, ip: '203.0.113.9' },
    { acao: 'contaApagada', quem_id: null, alvo_id: vencida.contaId, ip: '' },
  ])
  expect(await deleteExpiredContas(deps)).toBe(0)
})

it('keeps a deleted account under a legal hold and erases it after the hold', async () => {
  const clock = { now: () => new Date() }
  const files = createDiskFiles({ dir })
  const deps = { db: database.db, clock, ids: createIds(clock), files }
  const { contaId } = await conta(new Date(Date.now() - 31 * DIA_MS))
  await seed(contaId, 2)
  await files.write(contaId, ARQUIVO, Buffer.from('bytes'))
  const setHold = (on: boolean) =>
    database.owner.query('update privacidade set guarda_legal = $2 where conta_id = $1', [contaId, on])
  await setHold(true)
  const before = await linhas(contaId)

  expect(await deleteExpiredContas(deps)).toBe(0)
  expect(await linhas(contaId)).toEqual(before)
  expect(await files.read(contaId, ARQUIVO)).not.toBeNull()

  await setHold(false)
  expect(await deleteExpiredContas(deps)).toBeGreaterThan(30)
  expect(Object.values(await linhas(contaId)).filter((count) => count > 0)).toEqual([])
  expect(await files.read(contaId, ARQUIVO)).toBeNull()
})
