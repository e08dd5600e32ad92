import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { exportDatabase } from '#db/export.ts'
import { importDatabase } from '#db/import.ts'
import { migrate } from '#db/migrate.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const banco = inject('banco')
const CHAVE = 'uma frase comprida de quem guarda o balcão'
const TEXTO = 'Olá,\t"Zé"\n\\. \\N \u{1F6D2} ção; --'

let admin: Pool
let origem: TestDatabase
let destino: Pool
let nomeDestino: string
let pasta: string

/** Rows with all values that a text format could damage: control characters, JSON, money, bytes, nulls, dates. */
async function fill(owner: Pool): Promise<void> {
  for (const nome of ['A', 'B']) {
    const [conta, contato, conversa] = [randomUUID(), randomUUID(), randomUUID()]
    await owner.query(
      `INSERT INTO contas (id, empresa, limite_mensagens_dia, componentes_permitidos) VALUES ($1, $2, 10, '{"menu": ["a"]}')`,
      [conta, `Loja ${nome} ${TEXTO}`],
    )
    await owner.query(`INSERT INTO produtos VALUES ($1, $2, 'Pão', $3, 12.90, NULL, true, 1, NULL)`, [
      conta,
      randomUUID(),
      TEXTO,
    ])
    await owner.query(`INSERT INTO contatos (conta_id, id, endereco, estado) VALUES ($1, $2, 'tel:1', $3)`, [
      conta,
      contato,
      JSON.stringify({ fala: TEXTO }),
    ])
    await owner.query(`INSERT INTO conversas (conta_id, id, contato_id, status) VALUES ($1, $2, $3, 'bot')`, [
      conta,
      conversa,
      contato,
    ])
    await owner.query(
      `INSERT INTO mensagens (conta_id, id, conversa_id, direcao, origem, texto, canal, estado, criada_em)
       SELECT $1, gen_random_uuid(), $2, 'saida', 'bot', repeat(n || 'á ', 200), 'simulador', 'enviada', now() FROM generate_series(1, 500) n`,
      [conta, conversa],
    )
  }
  await owner.query(`INSERT INTO tentativas (chave) VALUES ('login')`)
  await owner.query(`UPDATE configuracoes_admin SET mensagens_por_dia = 77`)
  await owner.query(`SELECT nextval('epocas'), nextval('epocas'), nextval('epocas')`)
}

const sums = ({ tabelas }: Awaited<ReturnType<typeof exportDatabase>>): unknown =>
  tabelas.map(({ nome, linhas, sha256 }) => ({ nome, linhas, sha256 }))

const count = async (pool: Pool, tabela: string): Promise<unknown> =>
  (await pool.query(`SELECT count(*)::int AS n FROM ${tabela}`)).rows[0]

beforeAll(async () => {
  admin = createPool({ ...banco, database: 'postgres' }, { max: 1 })
  origem = await createTestDatabase()
  await fill(origem.owner)
})
afterAll(async () => {
  await origem.drop()
  await admin.end()
})
beforeEach(async () => {
  pasta = await mkdtemp(join(tmpdir(), 'balcao-exportacao-'))
  nomeDestino = `b_${randomBytes(6).toString('hex')}`
  await admin.query(`CREATE DATABASE ${nomeDestino}`)
  destino = createPool({ ...banco, database: nomeDestino }, { max: 2 })
})
afterEach(async () => {
  await destino.end()
  await admin.query(`DROP DATABASE ${nomeDestino} WITH (FORCE)`)
  await rm(pasta, { recursive: true })
})

const arquivo = (nome = 'balcao.export'): string => join(pasta, nome)

describe('migrate', () => {
  it('leaves all tables empty except those that an import clears', async () => {
    await migrate(destino)
    const { rows } = await destino.query<{ nome: string }>(
      `SELECT tablename AS nome FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migracoes'`,
    )
    const cheias: string[] = []
    for (const { nome } of rows)
      if ((await destino.query(`SELECT 1 FROM ${nome} LIMIT 1`)).rowCount !== 0) cheias.push(nome)
    expect(cheias).toEqual(['configuracoes_admin'])
  })
})

describe.each([
  ['plain', null],
  ['encrypted', CHAVE],
])('exportDatabase and importDatabase, %s', (_, chave) => {
  it('restores rows byte for byte, with sequences and forced row-level security', async () => {
    const saiu = await exportDatabase(origem.owner, arquivo(), chave)
    expect(statSync(arquivo()).mode & 0o777).toBe(0o600)
    await importDatabase(destino, arquivo(), chave)
    const voltou = await exportDatabase(destino, arquivo('segunda'), chave)
    expect(sums(voltou)).toEqual(sums(saiu))
    expect(await count(destino, 'mensagens')).toEqual({ n: 1000 })
    expect((await destino.query(`SELECT mensagens_por_dia AS n FROM configuracoes_admin`)).rows).toEqual([{ n: 77 }])
    expect((await destino.query(`SELECT nextval('epocas') AS n`)).rows).toEqual([{ n: 4 }])
    const { rows } = await destino.query(
      `SELECT relforcerowsecurity AS forcada FROM pg_class WHERE relname = 'mensagens'`,
    )
    expect(rows).toEqual([{ forcada: true }])
  })

  it('refuses the whole file if one bit changed', async () => {
    await exportDatabase(origem.owner, arquivo(), chave)
    const bom = await readFile(arquivo())
    for (const onde of [0.0005, 0.01, 0.3, 0.6, 0.999]) {
      const ruim = Buffer.from(bom)
      const posicao = Math.floor(ruim.length * onde)
      ruim[posicao] = (ruim[posicao] ?? 0) ^ 1
      await writeFile(arquivo('ruim'), ruim)
      await expect(importDatabase(destino, arquivo('ruim'), chave)).rejects.toThrow(/danificado/)
    }
    for (const [nome, ruim] of [
      ['curto', bom.subarray(0, -1)],
      ['longo', Buffer.concat([bom, Buffer.from('x')])],
    ] as const) {
      await writeFile(arquivo(nome), ruim)
      await expect(importDatabase(destino, arquivo(nome), chave)).rejects.toThrow(/danificado/)
    }
    expect(await count(destino, 'contas')).toEqual({ n: 0 })
    await importDatabase(destino, arquivo(), chave)
    expect(await count(destino, 'contas')).toEqual({ n: 2 })
  })
})

describe('exportDatabase', () => {
  it('hides customers’ texts with a key and refuses another key', async () => {
    await exportDatabase(origem.owner, arquivo('claro'), null)
    await exportDatabase(origem.owner, arquivo(), CHAVE)
    expect((await readFile(arquivo('claro'))).includes('Loja A')).toBe(true)
    expect((await readFile(arquivo())).includes('Loja A')).toBe(false)
    await expect(importDatabase(destino, arquivo(), null)).rejects.toThrow('BALCAO_BACKUP_CHAVE')
    await expect(importDatabase(destino, arquivo(), 'outra')).rejects.toThrow('a chave não é a dele')
  })

  it('exports one snapshot without rows written during the export', async () => {
    const outro = await origem.owner.connect()
    await outro.query('BEGIN; LOCK TABLE tentativas IN ACCESS EXCLUSIVE MODE')
    const durante = exportDatabase(origem.owner, arquivo(), null)
    // Waits until the export has its snapshot and waits for a table. Uses another connection because a transaction
    // caches these statistics.
    const espera = `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`
    while ((await admin.query(espera, [origem.target.database])).rowCount === 0) await sleep(5)
    await outro.query(`INSERT INTO tentativas (chave) SELECT 'depois' FROM generate_series(1, 50); COMMIT`)
    outro.release()
    const { tabelas } = await durante
    expect(await count(origem.owner, 'tentativas')).toEqual({ n: 51 })
    expect(tabelas.find(({ nome }) => nome === 'tentativas')).toMatchObject({ linhas: 1 })
    await origem.owner.query(`DELETE FROM tentativas WHERE chave = 'depois'`)
  })

  it('overwrites no file and leaves none after a failure', async () => {
    await writeFile(arquivo(), 'de alguém')
    await expect(exportDatabase(origem.owner, arquivo(), null)).rejects.toThrow('já existe')
    expect(await readFile(arquivo(), 'utf8')).toBe('de alguém')
    await expect(exportDatabase(destino, arquivo('vazio'), null)).rejects.toThrow('nunca foi usado')
    expect(existsSync(arquivo('vazio')) || existsSync(arquivo('vazio.parcial'))).toBe(false)
  })
})

describe('importDatabase', () => {
  it('refuses a database that is not empty', async () => {
    await exportDatabase(origem.owner, arquivo(), null)
    await expect(importDatabase(origem.owner, arquivo(), null)).rejects.toThrow('não está vazio')
    expect(await count(origem.owner, 'contas')).toEqual({ n: 2 })
  })

  it('works for an owner without superuser rights under forced row-level security', async () => {
    const papel = `dono_${randomBytes(4).toString('hex')}`
    await admin.query(
      `CREATE ROLE ${papel} LOGIN; ALTER DATABASE ${nomeDestino} OWNER TO ${papel}; GRANT balcao_app TO ${papel}`,
    )
    const limitado = createPool({ ...banco, user: papel, database: nomeDestino }, { max: 2 })
    const saiu = await exportDatabase(origem.owner, arquivo(), null)
    await importDatabase(limitado, arquivo(), null)
    const voltou = await exportDatabase(limitado, arquivo('segunda'), null)
    await limitado.end()
    expect(sums(voltou)).toEqual(sums(saiu))
    await destino.query(`REASSIGN OWNED BY ${papel} TO CURRENT_USER; DROP OWNED BY ${papel}; DROP ROLE ${papel}`)
  })

  it('migrates a file of an older version and refuses one of a newer version', async () => {
    const { rows } = await origem.owner.query<{ nome: string }>('SELECT nome FROM migracoes ORDER BY nome')
    const ultima = rows.at(-1)?.nome ?? ''
    const antiga = new Set(rows.map(({ nome }) => nome).filter((nome) => nome !== ultima))
    await migrate(destino, undefined, antiga)
    await exportDatabase(destino, arquivo(), null)
    const novo = await freshDatabase()
    await importDatabase(novo.pool, arquivo(), null)
    const aplicadas = await novo.pool.query('SELECT nome FROM migracoes ORDER BY nome')
    await novo.drop()
    expect(aplicadas.rows).toEqual(rows)
    await expect(importDatabase(origem.owner, arquivo(), null)).rejects.toThrow('versão anterior')
    await destino.query(`INSERT INTO migracoes (nome, sha256) VALUES ('9999_futuro.sql', 'x')`)
    await exportDatabase(destino, arquivo('futuro'), null)
    const outro = await freshDatabase()
    await expect(importDatabase(outro.pool, arquivo('futuro'), null)).rejects.toThrow('9999_futuro.sql')
    await outro.drop()
  })
})

async function freshDatabase(): Promise<{ pool: Pool; drop: () => Promise<void> }> {
  const database = `b_${randomBytes(6).toString('hex')}`
  await admin.query(`CREATE DATABASE ${database}`)
  const pool = createPool({ ...banco, database }, { max: 2 })
  return {
    pool,
    drop: async () => {
      await pool.end()
      await admin.query(`DROP DATABASE ${database} WITH (FORCE)`)
    },
  }
}
