import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { syncRenames } from '#lib/durable-files.ts'
import { beginSnapshot, listSequences, listTables, measureTables, readTables } from './read-tables.ts'
import { deriveFileKey, encrypt } from './cipher.ts'
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
    const result = await fn(client)
    // The server notices a closed connection later, and the next export may begin at once.
    await client.query('SELECT pg_advisory_unlock($1)', [LOCK])
    return result
  } finally {
    // After an error the closed connection releases the lock and ends the transaction, which wrote nothing.
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
export function exportSnapshot<T>(
  client: PoolClient,
  options: ExportOptions,
  read: (client: PoolClient) => Promise<T>,
): Promise<Pick<Header, 'tabelas'> & { readonly read: T }> {
  return writeExport(options, async (write) => {
    await beginSnapshot(client)
    const migracoes = await listMigrations(client)
    const tabelas = await measureTables(client, await listTables(client))
    const sequencias = await listSequences(client)
    const header = encodeHeader({ criadoEm: new Date().toISOString(), migracoes, tabelas, sequencias })
    await write(content(client, header, tabelas))
    const extra = await read(client)
    await client.query('COMMIT')
    return { tabelas, read: extra }
  })
}

async function* content(client: PoolClient, header: string, tables: readonly HeaderTable[]): AsyncGenerator<Buffer> {
  yield Buffer.from(header)
  yield* readTables(client, tables)
}

/** Throws a Portuguese sentence if the database was never used. */
export async function listMigrations(client: PoolClient): Promise<Header['migracoes']> {
  const { rows } = await client.query<{ migracoes: string | null }>(`SELECT to_regclass('migracoes') AS migracoes`)
  if (rows[0]?.migracoes === null) throw new Error('O banco de dados nunca foi usado.')
  return (await client.query<Header['migracoes'][number]>('SELECT nome, sha256 FROM migracoes ORDER BY nome')).rows
}

/**
 * Writes one encrypted file of mode 600. `fill` passes the content to `write`. The file appears when `fill` ends.
 * Throws if the file already exists.
 */
export async function writeExport<T>(
  { file, passphrase }: ExportOptions,
  fill: (write: (content: AsyncIterable<Buffer>) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (existsSync(file)) throw new Error(`O arquivo ${file} já existe.`)
  const partial = `${file}.parcial`
  try {
    const done = await fill((content) =>
      writeSynced(partial, passphrase === null ? content : encrypt(content, deriveFileKey(passphrase))),
    )
    await rename(partial, file)
    await syncRenames(dirname(file))
    return done
  } finally {
    await rm(partial, { force: true })
  }
}

const SYNC_BYTES = 2 ** 18

/** Syncs each megabyte. A sync of the whole file would delay the commits of a server on the same disk. */
async function writeSynced(file: string, content: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(file, 'w', 0o600)
  try {
    let unsynced = 0
    for await (const chunk of content) {
      await handle.appendFile(chunk)
      unsynced += chunk.length
      if (unsynced < SYNC_BYTES) continue
      await handle.datasync()
      unsynced = 0
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
}
