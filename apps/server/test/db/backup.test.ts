import { createCipheriv, randomBytes, randomUUID } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'
import { createPool } from '#db/connection.ts'
import { decrypt, deriveFileKey, encrypt } from '#db/backup/cipher.ts'
import { exportDatabase } from '#db/backup/export.ts'
import { importDatabase } from '#db/backup/import.ts'
import { migrate } from '#db/migrate/migrate.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'

const banco = inject('banco')
const CHAVE = 'uma frase comprida de quem guarda o balcão'
const TEXTO = 'Olá,\t"Zé"\n\\. \\N \u{1F6D2} ção; --'

let admin: Pool
let source: TestDatabase
let destination: Pool
let nomeDestino: string
let folder: string

/** Rows with all values that a text format could damage: control characters, JSON, money, bytes, nulls, dates. */
async function fill(owner: Pool): Promise<void> {
  for (const name of ['A', 'B']) {
    const [conta, contato, conversa] = [randomUUID(), randomUUID(), randomUUID()]
    await owner.query(
      `INSERT INTO contas (id, empresa, limite_mensagens_dia, componentes_permitidos) VALUES ($1, $2, 10, '{"menu": ["a"]}')`,
      [conta, `Loja ${name} ${TEXTO}`],
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

/** An import adds its own row to `restauracoes`. */
const sums = ({ tabelas }: Awaited<ReturnType<typeof exportDatabase>>): unknown =>
  tabelas.filter(({ nome }) => nome !== 'restauracoes').map(({ nome, linhas, sha256 }) => ({ nome, linhas, sha256 }))

const count = async (pool: Pool, table: string): Promise<unknown> =>
  (await pool.query(`SELECT count(*)::int AS n FROM ${table}`)).rows[0]

beforeAll(async () => {
  admin = createPool({ ...banco, database: 'postgres' }, { max: 1 })
  source = await createTestDatabase()
  await fill(source.owner)
})
afterAll(async () => {
  await source.drop()
  await admin.end()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'balcao-exportacao-'))
  nomeDestino = `b_${randomBytes(6).toString('hex')}`
  await admin.query(`CREATE DATABASE ${nomeDestino}`)
  destination = createPool({ ...banco, database: nomeDestino }, { max: 2 })
})
afterEach(async () => {
  await destination.end()
  await admin.query(`DROP DATABASE ${nomeDestino} WITH (FORCE)`)
  await rm(folder, { recursive: true })
})

const arquivo = (name = 'balcao.export'): string => join(folder, name)

describe('migrate', () => {
  it('leaves all tables empty except those that an import clears', async () => {
    await migrate(destination)
    const { rows } = await destination.query<{ nome: string }>(
      `SELECT tablename AS nome FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'migracoes'`,
    )
    const cheias: string[] = []
    for (const { nome } of rows)
      if ((await destination.query(`SELECT 1 FROM ${nome} LIMIT 1`)).rowCount !== 0) cheias.push(nome)
    expect(cheias).toEqual(['configuracoes_admin'])
  })
})

describe.each([
  ['plain', null],
  ['encrypted', CHAVE],
])('exportDatabase and importDatabase, %s', (_, key) => {
  it('restores rows byte for byte, with sequences and forced row-level security', async () => {
    const left = await exportDatabase(source.owner, arquivo(), key)
    expect(statSync(arquivo()).mode & 0o777).toBe(0o600)
    await importDatabase(destination, arquivo(), key)
    const returned = await exportDatabase(destination, arquivo('segunda'), key)
    expect(sums(returned)).toEqual(sums(left))
    expect(await count(destination, 'mensagens')).toEqual({ n: 1000 })
    expect((await destination.query(`SELECT mensagens_por_dia AS n FROM configuracoes_admin`)).rows).toEqual([
      { n: 77 },
    ])
    expect((await destination.query(`SELECT nextval('epocas') AS n`)).rows).toEqual([{ n: 4 }])
    const { rows } = await destination.query(
      `SELECT relforcerowsecurity AS forcada FROM pg_class WHERE relname = 'mensagens'`,
    )
    expect(rows).toEqual([{ forcada: true }])
  })

  it('refuses the whole file if one bit changed', async () => {
    await exportDatabase(source.owner, arquivo(), key)
    const bom = await readFile(arquivo())
    for (const onde of [0.0005, 0.01, 0.3, 0.6, 0.999]) {
      const ruim = Buffer.from(bom)
      const position = Math.floor(ruim.length * onde)
      ruim[position] = (ruim[position] ?? 0) ^ 1
      await writeFile(arquivo('ruim'), ruim)
      await expect(importDatabase(destination, arquivo('ruim'), key)).rejects.toThrow(/danificado/)
    }
    for (const [name, ruim] of [
      ['curto', bom.subarray(0, -1)],
      ['longo', Buffer.concat([bom, Buffer.from('x')])],
    ] as const) {
      await writeFile(arquivo(name), ruim)
      await expect(importDatabase(destination, arquivo(name), key)).rejects.toThrow(/danificado/)
    }
    expect(await count(destination, 'contas')).toEqual({ n: 0 })
    await importDatabase(destination, arquivo(), key)
    expect(await count(destination, 'contas')).toEqual({ n: 2 })
  })
})

describe('encrypt', () => {
  const fileKey = deriveFileKey(CHAVE)
  const MIB = 2 ** 20
  const HEAD = 17 + 16 + 7
  const PART = MIB + 16
  const collect = async (source: AsyncIterable<Buffer>): Promise<Buffer> => {
    const chunks: Buffer[] = []
    for await (const chunk of source) chunks.push(chunk)
    return Buffer.concat(chunks)
  }
  async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const encrypted = (bytes: Buffer): Promise<Buffer> => collect(encrypt(inChunks(bytes, 70_001), fileKey))
  const decrypted = (bytes: Buffer, size = 70_001): Promise<Buffer> =>
    collect(decrypt(inChunks(bytes, size), () => fileKey.key))

  it.each([0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB])('returns %s bytes as they were', async (size) => {
    const content = randomBytes(size)
    const file = await encrypted(content)
    for (const chunk of [3_000_000, 70_001, 41]) {
      if (size > MIB && chunk === 41) continue
      expect((await decrypted(file, chunk)).equals(content)).toBe(true)
    }
  })

  it('refuses parts that are missing, repeated, swapped or cut off', async () => {
    const file = await encrypted(randomBytes(3 * MIB + 5))
    const head = file.subarray(0, HEAD)
    const [a, b, c, end] = [0, 1, 2, 3].map((n) => file.subarray(HEAD + n * PART, HEAD + (n + 1) * PART))
    if (a === undefined || b === undefined || c === undefined || end === undefined) throw new Error('part missing')
    for (const parts of [
      [a, c, end],
      [a, a, b, c, end],
      [b, a, c, end],
      [a, b, c],
      [a],
      [],
      [end],
      [a, b, c, end, end],
    ]) {
      await expect(decrypted(Buffer.concat([head, ...parts]))).rejects.toThrow(/danificado/)
    }
  })

  it('reads files of earlier versions, which had one part', async () => {
    const [content, nonce] = [randomBytes(200_000), randomBytes(12)]
    const cipher = createCipheriv('aes-256-gcm', fileKey.key, nonce)
    const body = [cipher.update(content), cipher.final(), cipher.getAuthTag()]
    const file = Buffer.concat([Buffer.from('BALCAO-CIFRADO-1\n'), fileKey.salt, nonce, ...body])
    expect((await decrypted(file)).equals(content)).toBe(true)
    await expect(decrypted(file.subarray(0, -1))).rejects.toThrow(/danificado/)
  })
})

describe('exportDatabase', () => {
  it('hides customers’ texts with a key and refuses another key', async () => {
    await exportDatabase(source.owner, arquivo('claro'), null)
    await exportDatabase(source.owner, arquivo(), CHAVE)
    expect((await readFile(arquivo('claro'))).includes('Loja A')).toBe(true)
    expect((await readFile(arquivo())).includes('Loja A')).toBe(false)
    await expect(importDatabase(destination, arquivo(), null)).rejects.toThrow('BALCAO_BACKUP_CHAVE')
    await expect(importDatabase(destination, arquivo(), 'outra')).rejects.toThrow('a chave não é a dele')
  })

  it('exports one snapshot without rows written during the export', async () => {
    const other = await source.owner.connect()
    await other.query('BEGIN; LOCK TABLE tentativas IN ACCESS EXCLUSIVE MODE')
    const durante = exportDatabase(source.owner, arquivo(), null)
    // Waits until the export has its snapshot and waits for a table. Uses another connection because a transaction
    // caches these statistics.
    const wait = `SELECT 1 FROM pg_stat_activity WHERE datname = $1 AND wait_event_type = 'Lock'`
    while ((await admin.query(wait, [source.target.database])).rowCount === 0) await sleep(5)
    await other.query(`INSERT INTO tentativas (chave) SELECT 'depois' FROM generate_series(1, 50); COMMIT`)
    other.release()
    const { tabelas } = await durante
    expect(await count(source.owner, 'tentativas')).toEqual({ n: 51 })
    expect(tabelas.find(({ nome }) => nome === 'tentativas')).toMatchObject({ linhas: 1 })
    await source.owner.query(`DELETE FROM tentativas WHERE chave = 'depois'`)
  })

  it('overwrites no file and leaves none after a failure', async () => {
    await writeFile(arquivo(), 'de alguém')
    await expect(exportDatabase(source.owner, arquivo(), null)).rejects.toThrow('já existe')
    expect(await readFile(arquivo(), 'utf8')).toBe('de alguém')
    await expect(exportDatabase(destination, arquivo('vazio'), null)).rejects.toThrow('nunca foi usado')
    expect(existsSync(arquivo('vazio')) || existsSync(arquivo('vazio.parcial'))).toBe(false)
  })
})

describe('importDatabase', () => {
  it('refuses a database that is not empty', async () => {
    await exportDatabase(source.owner, arquivo(), null)
    await expect(importDatabase(source.owner, arquivo(), null)).rejects.toThrow('não está vazio')
    expect(await count(source.owner, 'contas')).toEqual({ n: 2 })
  })

  it('works for an owner without superuser rights under forced row-level security', async () => {
    const papel = `dono_${randomBytes(4).toString('hex')}`
    await admin.query(
      `CREATE ROLE ${papel} LOGIN PASSWORD '${banco.password}'; ALTER DATABASE ${nomeDestino} OWNER TO ${papel}; GRANT balcao_app TO ${papel}`,
    )
    const limited = createPool({ ...banco, user: papel, database: nomeDestino }, { max: 2 })
    const left = await exportDatabase(source.owner, arquivo(), null)
    await importDatabase(limited, arquivo(), null)
    const returned = await exportDatabase(limited, arquivo('segunda'), null)
    await limited.end()
    expect(sums(returned)).toEqual(sums(left))
    await destination.query(`REASSIGN OWNED BY ${papel} TO CURRENT_USER; DROP OWNED BY ${papel}; DROP ROLE ${papel}`)
  })

  it('migrates a file of an older version and refuses one of a newer version', async () => {
    const { rows } = await source.owner.query<{ nome: string }>('SELECT nome FROM migracoes ORDER BY nome')
    // Older than the tables of processes and of imports.
    const old = new Set(rows.map(({ nome }) => nome).filter((name) => name < '0066'))
    await migrate(destination, { only: old })
    await exportDatabase(destination, arquivo(), null)
    const fresh = await freshDatabase()
    await importDatabase(fresh.pool, arquivo(), null)
    const applied = await fresh.pool.query('SELECT nome FROM migracoes ORDER BY nome')
    const marked = await fresh.pool.query('SELECT decisao FROM restauracoes')
    expect(marked.rows).toEqual([{ decisao: null }])
    await fresh.drop()
    expect(applied.rows).toEqual(rows)
    await expect(importDatabase(source.owner, arquivo(), null)).rejects.toThrow('versão anterior')
    await destination.query(`INSERT INTO migracoes (nome, sha256) VALUES ('9999_futuro.sql', 'x')`)
    await exportDatabase(destination, arquivo('futuro'), null)
    const other = await freshDatabase()
    await expect(importDatabase(other.pool, arquivo('futuro'), null)).rejects.toThrow('9999_futuro.sql')
    await other.drop()
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
