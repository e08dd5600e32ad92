import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { escapeIdentifier, type PoolClient } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
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

export interface TableInfo {
  readonly nome: string
  readonly colunas: readonly string[]
  /** FORCE ROW LEVEL SECURITY is set: the table's policies bind its owner too. */
  readonly forcada: boolean
}

/**
 * Lists the tables of schema `public`, each after the tables its foreign keys point at. Leaves out `migracoes`, the tasks
 * of nodes, the packets between them, the files of the panel, which each start stores again, the words of the search,
 * which a task reads again, and logins between two steps, which last five minutes.
 */
export async function listTables(client: PoolClient): Promise<TableInfo[]> {
  const { rows } = await client.query<TableInfo & { depende: string[] }>(
    `SELECT c.relname::text AS nome, c.relforcerowsecurity AS forcada,
       array(SELECT a.attname::text FROM pg_attribute a
              WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
              ORDER BY a.attnum) AS colunas,
       array(SELECT DISTINCT f.relname::text FROM pg_constraint k JOIN pg_class f ON f.oid = k.confrelid
              WHERE k.conrelid = c.oid AND k.contype = 'f' AND f.oid <> c.oid) AS depende
     FROM pg_class c
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname NOT IN ('migracoes', 'tarefas', 'recados', 'painel_versoes', 'painel_arquivos',
       'busca_mensagens', 'busca_contas', 'busca_palavras', 'busca_notas', 'desafios')
     ORDER BY c.relname`,
  )
  const sorted: TableInfo[] = []
  const done = new Set<string>()
  while (sorted.length < rows.length) {
    const prontas = rows.filter(({ nome, depende }) => !done.has(nome) && depende.every((other) => done.has(other)))
    if (prontas.length === 0) throw new Error('foreign keys form a cycle')
    for (const { nome, colunas, forcada } of prontas) {
      sorted.push({ nome, colunas, forcada })
      done.add(nome)
    }
  }
  return sorted
}

export async function listSequences(client: PoolClient): Promise<{ nome: string; ultimo: number | null }[]> {
  const { rows } = await client.query<{ nome: string; ultimo: number | null }>(
    `SELECT sequencename::text AS nome, last_value AS ultimo FROM pg_sequences WHERE schemaname = 'public' ORDER BY 1`,
  )
  return rows
}

export function copyTarget({ nome, colunas }: Pick<TableInfo, 'nome' | 'colunas'>): string {
  return `${escapeIdentifier(nome)} (${colunas.map((column) => escapeIdentifier(column)).join(', ')})`
}
