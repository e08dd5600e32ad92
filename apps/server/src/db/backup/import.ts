import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { escapeIdentifier, type Pool, type PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { migrate } from '#db/migrate/migrate.ts'
import { copyTarget, listTables } from './read-tables.ts'
import { createKeyFinder, decrypt } from './cipher.ts'
import { createReader, type Header, type HeaderTable, type Reader, readHeader } from './format.ts'
import { markImport, type RestoredWork } from './restore-hold.ts'

/** Migrations insert rows into these tables. The import replaces them. */
const SEEDED_TABLES: ReadonlySet<string> = new Set(['configuracoes_admin'])

export interface Imported extends Pick<Header, 'tabelas' | 'criadoEm'> {
  readonly waiting: RestoredWork
}

/**
 * Imports a backup file into an empty database in one transaction, then migrates to the newest version. A new
 * database is first migrated to the version of the file. Without `consent` no bot starts and no mail leaves until the
 * administrator decides. Throws a Portuguese sentence if the file is damaged or the database is not empty.
 */
export async function importDatabase(
  owner: Pool,
  file: string,
  passphrase: string | null,
  { consent = false }: { readonly consent?: boolean } = {},
): Promise<Imported> {
  const stream = createReadStream(file)
  try {
    const reader = createReader(decrypt(stream, createKeyFinder(passphrase)))
    const header = await readHeader(reader)
    await reachVersion(owner, header)
    const waiting = await loadAll(owner, header, reader, consent)
    await migrate(owner)
    return { tabelas: header.tabelas, criadoEm: header.criadoEm, waiting }
  } finally {
    stream.destroy()
  }
}

async function loadAll(owner: Pool, header: Header, reader: Reader, consent: boolean): Promise<RestoredWork> {
  const client = await owner.connect()
  try {
    await client.query(`BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`)
    const waiting = await load(client, header, reader, consent)
    await client.query('COMMIT')
    return waiting
  } finally {
    client.release(true)
  }
}

async function reachVersion(owner: Pool, { migracoes }: Header): Promise<void> {
  await migrate(owner, { only: new Set(migracoes.map(({ nome }) => nome)) })
  const { rows } = await owner.query<{ nome: string; sha256: string }>(
    'SELECT nome, sha256 FROM migracoes ORDER BY nome',
  )
  const aqui = new Map(rows.map(({ nome, sha256 }) => [nome, sha256]))
  const other = migracoes.find(({ nome, sha256 }) => aqui.get(nome) !== sha256)
  if (other !== undefined)
    throw new Error(
      `O arquivo é de outra versão do Balcão (migração ${other.nome}). Use aquela versão, ou uma mais nova.`,
    )
  if (rows.length === migracoes.length) return
  throw new Error(
    'O arquivo é de uma versão anterior à deste banco. Importe em um banco ou em uma pasta de dados que nunca foi usada.',
  )
}

async function load(client: PoolClient, header: Header, reader: Reader, consent: boolean): Promise<RestoredWork> {
  const tables = await listTables(client)
  // Keeps other writers out and allows the owner to switch off forced row-level security.
  for (const { nome } of tables) await client.query(`LOCK TABLE ${escapeIdentifier(nome)} IN ACCESS EXCLUSIVE MODE`)
  const forcadas = tables.filter(({ forcada }) => forcada)
  for (const { nome } of forcadas)
    await client.query(`ALTER TABLE ${escapeIdentifier(nome)} NO FORCE ROW LEVEL SECURITY`)
  for (const { nome } of tables) await requireEmpty(client, nome)
  for (const tabela of header.tabelas) await loadTable(client, tabela, reader)
  if (!(await reader.ended())) throw new Error('O arquivo está danificado: há dados depois do fim.')
  for (const { nome, ultimo } of header.sequencias) {
    if (ultimo !== null) await client.query('SELECT setval($1::regclass, $2)', [escapeIdentifier(nome), ultimo])
  }
  const waiting = await markImport(client, { madeAt: header.criadoEm, consent })
  for (const { nome } of forcadas) await client.query(`ALTER TABLE ${escapeIdentifier(nome)} FORCE ROW LEVEL SECURITY`)
  return waiting
}

async function requireEmpty(client: PoolClient, table: string): Promise<void> {
  const tabela = escapeIdentifier(table)
  if (SEEDED_TABLES.has(table)) await client.query(`DELETE FROM ${tabela}`)
  const { rowCount } = await client.query(`SELECT 1 FROM ${tabela} LIMIT 1`)
  if (rowCount !== 0)
    throw new Error(
      `O banco de dados não está vazio (tabela ${table}). Importe em um banco ou em uma pasta de dados que nunca foi usada.`,
    )
}

/** Loads the next table of the file, by default into the table of its name. Throws if the file is damaged. */
export async function loadTable(
  client: PoolClient,
  table: HeaderTable,
  reader: Reader,
  into = table.nome,
): Promise<void> {
  const hash = createHash('sha256')
  const source = async function* (): AsyncGenerator<Buffer> {
    for await (const chunk of reader.bytes(table.bytes)) {
      hash.update(chunk)
      yield chunk
    }
  }
  const destination = client.query(copyFrom(`COPY ${copyTarget({ ...table, nome: into })} FROM STDIN`))
  const danificado = `O arquivo está danificado na tabela ${table.nome}. Nada foi importado.`
  try {
    await pipeline(source, destination)
  } catch (error) {
    throw new Error(danificado, { cause: error })
  }
  if (hash.digest('hex') !== table.sha256 || destination.rowCount !== table.linhas) throw new Error(danificado)
}
