import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'
import type { CrashPoints } from '#lib/crash-points.ts'
import { type Migration, type MigrationMode, applyMigration } from './apply-migration.ts'
import { ensureRole, grantRights, lacksRights } from './working-role.ts'

/** Extensions of the search. The working role uses them in this schema. */
const EXTENSIONS = ['unaccent', 'pg_trgm', 'btree_gin']
const SCHEMA = 'public'

async function ensureExtensions(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ nome: string; esquema: string }>(
    'SELECT extname AS nome, extnamespace::regnamespace::text AS esquema FROM pg_extension WHERE extname = ANY ($1)',
    [EXTENSIONS],
  )
  const schemas = new Map(rows.map(({ nome, esquema }) => [nome, esquema]))
  const commands = EXTENSIONS.filter((name) => schemas.get(name) !== SCHEMA).map((name) =>
    schemas.has(name)
      ? `ALTER EXTENSION ${name} SET SCHEMA ${SCHEMA};`
      : `CREATE EXTENSION IF NOT EXISTS ${name} SCHEMA ${SCHEMA};`,
  )
  try {
    for (const command of commands) await client.query(command)
  } catch (error) {
    throw new Error(
      'A busca precisa de extensões que o usuário do banco não pode criar; peça a um administrador do banco que execute ' +
        `nele como superusuário: ${commands.join(' ')}`,
      { cause: error },
    )
  }
}

const MIGRATIONS = join(import.meta.dirname, '..', '..', '..', 'migrations')
export const MIGRATION_LOCK = 7_203_615
const LOCK_CHECK_MS = 250
/** Requests of running nodes wait behind the lock that a migration waits for. */
const LOCK_MS = 2_000

const MODES: Readonly<Record<string, MigrationMode>> = { '-- concorrente': 'concorrente', '-- em partes': 'partes' }

interface AppliedMigration {
  readonly nome: string
  readonly sha256: string
  readonly desde: string | null
}

export interface MigrateOptions {
  readonly folder?: string
  /** Other files wait. Default: all files. */
  readonly only?: ReadonlySet<string> | undefined
  readonly version?: string
  readonly crashPoint?: CrashPoints
  readonly lockMs?: number
}

/**
 * Applies the pending files of `migrations/` in name order. Returns the applied names. A file that earlier versions may
 * run beside waits for a lock for a short time only, and is tried again.
 * With `only`, other files wait. With several nodes the first migrates and the others wait. Throws if an applied
 * file was edited. A database of a newer version is accepted if each of its unknown migrations allows `version`
 * (`v2.1.0` or `2.1.0`), and stays as it is. Throws otherwise.
 */
export async function migrate(
  owner: Pool,
  { folder = MIGRATIONS, only, version = VERSAO_PRODUTO, crashPoint = () => {}, lockMs = LOCK_MS }: MigrateOptions = {},
): Promise<readonly string[]> {
  const client = await owner.connect()
  try {
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0')
    await takeMigrationLock(client)
    try {
      return await migrateLocked(client, await readMigrations(folder), { only, version, crashPoint, lockMs })
    } finally {
      // Keeps the original error. The lock also ends with the connection.
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined)
    }
  } finally {
    client.release(true)
  }
}

/** Asks again and again: `create index concurrently` of another node waits for statements that wait for a lock. */
async function takeMigrationLock(client: PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_lock($1) AS taken', [
      MIGRATION_LOCK,
    ])
    if (rows[0]?.taken === true) return
    await sleep(LOCK_CHECK_MS)
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (nome) => {
      const sql = await readFile(join(folder, nome), 'utf8')
      const [, second = ''] = sql.split('\n', 2)
      const mode = MODES[second.trimEnd()] ?? 'transacao'
      return {
        ...{ nome, sql, mode, desde: readOldestVersion(nome, sql) },
        sha256: createHash('sha256').update(sql).digest('hex'),
      }
    }),
  )
}

function readOldestVersion(nome: string, sql: string): string | null {
  const [firstLine = ''] = sql.split('\n', 1)
  if (!firstLine.startsWith('-- desde')) return null
  const [, version] = /^-- desde: (\d+\.\d+\.\d+)$/.exec(firstLine.trimEnd()) ?? []
  if (version === undefined) throw new Error(`migration ${nome}: first line is not "-- desde: 2.1.0"`)
  return version
}

async function migrateLocked(
  client: PoolClient,
  migrations: readonly Migration[],
  options: Required<Omit<MigrateOptions, 'folder' | 'only'>> & Pick<MigrateOptions, 'only'>,
): Promise<string[]> {
  const { only, version } = options
  const applied = await readApplied(client)
  const aplicadas = new Map(applied.map(({ nome, sha256 }) => [nome, sha256]))
  const pending = migrations.filter(({ nome, sha256 }) => {
    const aplicada = aplicadas.get(nome)
    if (aplicada === undefined) return only?.has(nome) !== false
    if (aplicada !== sha256) throw new Error(`A migração ${nome} já foi aplicada e seu arquivo mudou depois disso.`)
    return false
  })
  const unknown = unknownOf(applied, migrations)
  // An older program does not know the append-only tables of the newer one, so it neither migrates nor grants.
  const refused = pending.length > 0 ? unknown[0] : unknown.find(({ desde }) => !allows(desde, version))
  if (refused !== undefined) throw newerDatabase(refused.nome)
  await ensureRole(client)
  if (unknown.length > 0) return []
  await ensureExtensions(client)
  for (const migration of pending) await applyMigration(client, migration, options)
  const fresh = pending.map(({ nome }) => nome)
  // Grants also without new migrations: an imported database may lack the rights of the role.
  if (fresh.length > 0 || (await lacksRights(client))) {
    await grantRights(
      client,
      migrations.filter(({ nome }) => aplicadas.has(nome) || fresh.includes(nome)),
    )
  }
  return fresh
}

async function readApplied(client: PoolClient): Promise<AppliedMigration[]> {
  await client.query(`CREATE TABLE IF NOT EXISTS migracoes (
    nome text PRIMARY KEY, sha256 text NOT NULL, aplicada_em timestamptz NOT NULL DEFAULT now(), desde text)`)
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_attribute WHERE attrelid = 'migracoes'::regclass AND attname = 'desde'`,
  )
  // The exclusive lock of ALTER TABLE would wait for a running export, so only the first start takes it.
  if (rowCount === 0) await client.query('ALTER TABLE migracoes ADD COLUMN desde text')
  const { rows } = await client.query<AppliedMigration>('SELECT nome, sha256, desde FROM migracoes ORDER BY nome')
  return rows
}

function unknownOf(applied: readonly AppliedMigration[], migrations: readonly Migration[]): AppliedMigration[] {
  const known = new Set(migrations.map(({ nome }) => nome))
  return applied.filter(({ nome }) => !known.has(nome))
}

function allows(desde: string | null, version: string): boolean {
  const plain = version.replace(/^v/, '')
  return desde !== null && desde.localeCompare(plain, 'en', { numeric: true }) <= 0
}

function newerDatabase(migration: string): Error {
  return new Error(
    `O banco de dados é de uma versão mais nova do Balcão (tem a migração ${migration}). Atualize o Balcão.`,
  )
}
