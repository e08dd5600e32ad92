import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Pool, PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { copyTarget, listSequences, listTables, type TableInfo } from './catalog.ts'
import { deriveFileKey, encrypt } from './cipher.ts'
import { syncRenames } from '#lib/durable-files.ts'
import { encodeHeader, type Header, type HeaderTable } from './format.ts'

const LOCK = 7_203_617

/**
 * Runs `fn` on a separate connection. Throws if another process exports this database: two exports at once would
 * double the load and delete each other's old copies.
 */
export async function asOnlyExport<T>(owner: Pool, fn: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await owner.connect()
  try {
    const { rows } = await client.query<{ free: boolean }>('SELECT pg_try_advisory_lock($1) AS free', [LOCK])
    if (rows[0]?.free !== true) throw new Error('Uma cópia já está sendo feita. Espere ela terminar.')
    return await fn(client)
  } finally {
    // Closing the connection releases the lock and ends an open transaction, which wrote nothing.
    client.release(true)
  }
}

export interface ExportOptions {
  readonly file: string
  readonly passphrase: string | null
}

/** Exports into one file. Throws if it exists or if another export runs. */
export function exportDatabase(owner: Pool, file: string, passphrase: string | null): Promise<Pick<Header, 'tabelas'>> {
  return asOnlyExport(owner, (client) => exportSnapshot(client, { file, passphrase }, () => Promise.resolve()))
}

/**
 * Writes all tables into one file, in one snapshot, while other connections keep writing. `read` reads more from the
 * same snapshot. The file has mode 600 and appears only when complete. Throws if it already exists.
 */
export async function exportSnapshot<T>(
  client: PoolClient,
  { file, passphrase }: ExportOptions,
  read: (client: PoolClient) => Promise<T>,
): Promise<Pick<Header, 'tabelas'> & { readonly read: T }> {
  if (existsSync(file)) throw new Error(`O arquivo ${file} já existe.`)
  const partial = `${file}.parcial`
  try {
    await beginSnapshot(client)
    const { rows } = await client.query<{ migracoes: string | null }>(`SELECT to_regclass('migracoes') AS migracoes`)
    if (rows[0]?.migracoes === null) throw new Error('O banco de dados nunca foi usado: não há o que exportar.')
    const tabelas: HeaderTable[] = []
    for (const table of await listTables(client)) tabelas.push(await measure(client, table))
    const { rows: migracoes } = await client.query<{ nome: string; sha256: string }>(
      'SELECT nome, sha256 FROM migracoes ORDER BY nome',
    )
    const sequencias = await listSequences(client)
    const header = encodeHeader({ criadoEm: new Date().toISOString(), migracoes, tabelas, sequencias })
    const conteudo = content(client, header, tabelas)
    await pipeline(
      passphrase === null ? conteudo : encrypt(conteudo, deriveFileKey(passphrase)),
      createWriteStream(partial, { mode: 0o600, flush: true }),
    )
    const extra = await read(client)
    await client.query('COMMIT')
    await rename(partial, file)
    await syncRenames(dirname(file))
    return { tabelas, read: extra }
  } finally {
    await rm(partial, { force: true })
  }
}

/**
 * One snapshot for all tables. `synchronize_seqscans` is off because each table is read twice in the same row
 * order.
 */
async function beginSnapshot(client: PoolClient): Promise<void> {
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL synchronize_seqscans = off; SET LOCAL datestyle = 'ISO'; SET LOCAL extra_float_digits = 1;
    SET LOCAL app.contas = '*'`)
}

async function measure(client: PoolClient, { nome, colunas }: TableInfo): Promise<HeaderTable> {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = client.query(copyTo(`COPY ${copyTarget({ nome, colunas })} TO STDOUT`))
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) continue
    hash.update(chunk)
    bytes += chunk.length
  }
  return { nome, colunas: [...colunas], linhas: stream.rowCount, bytes, sha256: hash.digest('hex') }
}

async function* content(client: PoolClient, header: string, tables: readonly HeaderTable[]): AsyncGenerator<Buffer> {
  yield Buffer.from(header)
  for (const table of tables) {
    const hash = createHash('sha256')
    for await (const chunk of client.query(copyTo(`COPY ${copyTarget(table)} TO STDOUT`))) {
      if (!Buffer.isBuffer(chunk)) continue
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== table.sha256)
      throw new Error(`A tabela ${table.nome} não se deixou ler duas vezes igual.`)
  }
}
