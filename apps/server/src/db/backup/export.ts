import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Pool, PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { copyTarget, listSequences, listTables, type TableInfo } from './catalog.ts'
import { encrypt } from './cipher.ts'
import { encodeHeader, type Header, type HeaderTable } from './format.ts'

/**
 * Writes all tables into one file, in one snapshot, while other connections keep writing. The file has mode 600 and
 * appears only when complete. Throws if it already exists.
 */
export async function exportDatabase(
  owner: Pool,
  file: string,
  passphrase: string | null,
): Promise<Pick<Header, 'tabelas'>> {
  if (existsSync(file)) throw new Error(`O arquivo ${file} já existe.`)
  const partial = `${file}.parcial`
  const client = await owner.connect()
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
      passphrase === null ? conteudo : encrypt(conteudo, passphrase),
      createWriteStream(partial, { mode: 0o600, flush: true }),
    )
    await rename(partial, file)
    await syncFile(file)
    return { tabelas }
  } finally {
    // Closing the connection also ends its transaction, which wrote nothing.
    client.release(true)
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

async function syncFile(file: string): Promise<void> {
  const descriptor = await open(file, 'r')
  await descriptor.sync()
  await descriptor.close()
}
