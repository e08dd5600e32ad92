import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import { copyTarget, type TableInfo } from './catalog.ts'
import type { HeaderTable } from './format.ts'

/** Source of COPY for a table: the table itself, or a query in parentheses. */
export type SourceOf = (table: Pick<TableInfo, 'nome' | 'colunas'>) => string

/**
 * Begins a transaction in which all tables show the same instant. Each table is read twice and must give its rows in the
 * same order, so `synchronize_seqscans` and parallel plans are off.
 */
export async function beginSnapshot(client: PoolClient): Promise<void> {
  await client.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
    SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
    SET LOCAL synchronize_seqscans = off; SET LOCAL max_parallel_workers_per_gather = 0;
    SET LOCAL datestyle = 'ISO'; SET LOCAL extra_float_digits = 1;
    SET LOCAL app.contas = '*'`)
}

/** Reads the tables once for their lengths and checksums. */
export async function measureTables(
  client: PoolClient,
  tables: readonly TableInfo[],
  sourceOf: SourceOf = copyTarget,
): Promise<HeaderTable[]> {
  const measured: HeaderTable[] = []
  for (const table of tables) measured.push(await measure(client, table, sourceOf))
  return measured
}

async function measure(client: PoolClient, table: TableInfo, sourceOf: SourceOf): Promise<HeaderTable> {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = client.query(copyTo(`COPY ${sourceOf(table)} TO STDOUT`))
  for await (const chunk of paced(stream)) {
    hash.update(chunk)
    bytes += chunk.length
  }
  const { nome, colunas } = table
  return { nome, colunas: [...colunas], linhas: stream.rowCount, bytes, sha256: hash.digest('hex') }
}

/** Reads the tables again, as COPY text. Throws if a table differs from its measure. */
export async function* readTables(
  client: PoolClient,
  tables: readonly HeaderTable[],
  sourceOf: SourceOf = copyTarget,
): AsyncGenerator<Buffer> {
  for (const table of tables) {
    const hash = createHash('sha256')
    for await (const chunk of paced(client.query(copyTo(`COPY ${sourceOf(table)} TO STDOUT`)))) {
      hash.update(chunk)
      yield chunk
    }
    if (hash.digest('hex') !== table.sha256)
      throw new Error(`A tabela ${table.nome} não se deixou ler duas vezes igual.`)
  }
}

const WORK_MS = 5
/** Rest for each millisecond of work. */
const REST = 3

/**
 * Passes the chunks on and rests in between, because a server beside this process needs the processor and the disk.
 * PostgreSQL rests too, as soon as the buffers between the two are full.
 */
async function* paced(stream: AsyncIterable<unknown>): AsyncGenerator<Buffer> {
  let start = performance.now()
  for await (const chunk of stream) {
    if (Buffer.isBuffer(chunk)) yield chunk
    const worked = performance.now() - start
    if (worked < WORK_MS) continue
    await sleep(worked * REST)
    start = performance.now()
  }
}
