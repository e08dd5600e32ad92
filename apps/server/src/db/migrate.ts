import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Pool, PoolClient } from 'pg'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'
import type { CrashPoints } from '#lib/crash-points.ts'

/** Role of every ordinary connection. It owns nothing, so row-level security binds it. */
export const APP_ROLE = 'balcao_app'

const MIGRATIONS = join(import.meta.dirname, '..', '..', 'migrations')
/** Held while a process migrates or checks the secret. */
export const MIGRATION_LOCK = 7_203_615

interface Migration {
  readonly nome: string
  readonly sql: string
  readonly sha256: string
  /** Oldest program version that may run with the migration, from its first line. Null: only versions that have it. */
  readonly desde: string | null
}

interface AppliedMigration {
  readonly nome: string
  readonly sha256: string
  readonly desde: string | null
}

export interface MigrateOptions {
  /** Default: the migrations of the product. */
  readonly folder?: string
  /** Other files wait. Default: all files. */
  readonly only?: ReadonlySet<string> | undefined
  /** Version of the program. Default: this one. */
  readonly version?: string
  readonly crashPoint?: CrashPoints
}

/**
 * Applies the pending files of `migrations/` in name order, each in its own transaction. Returns the applied names.
 * With `only`, other files wait. With several nodes the first migrates and the others wait. Throws if an applied
 * file was edited. A database of a newer version is accepted if each of its unknown migrations allows `version`
 * (`v2.1.0` or `2.1.0`), and stays as it is. Throws otherwise.
 */
export async function migrate(
  owner: Pool,
  { folder = MIGRATIONS, only, version = VERSAO_PRODUTO, crashPoint = () => {} }: MigrateOptions = {},
): Promise<readonly string[]> {
  const client = await owner.connect()
  try {
    await client.query('SET statement_timeout = 0; SET lock_timeout = 0')
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK])
    try {
      return await migrateLocked(client, await readMigrations(folder), { only, version, crashPoint })
    } finally {
      // Keeps the original error. The lock also ends with the connection.
      await client.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined)
    }
  } finally {
    client.release(true)
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted()
  return Promise.all(
    names.map(async (nome) => {
      const sql = await readFile(join(folder, nome), 'utf8')
      return { nome, sql, sha256: createHash('sha256').update(sql).digest('hex'), desde: readOldestVersion(nome, sql) }
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
  { only, version, crashPoint }: Required<Omit<MigrateOptions, 'folder' | 'only'>> & Pick<MigrateOptions, 'only'>,
): Promise<string[]> {
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
  for (const migration of pending) await applyOne(client, migration, crashPoint)
  const fresh = pending.map(({ nome }) => nome)
  // Grants also without new migrations: an imported database may lack the rights of the role.
  if (fresh.length > 0 || (await lacksRights(client))) {
    await grant(
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

async function applyOne(
  client: PoolClient,
  { nome, sql, sha256, desde }: Migration,
  crashPoint: CrashPoints,
): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(sql)
    await client.query('INSERT INTO migracoes (nome, sha256, desde) VALUES ($1, $2, $3)', [nome, sha256, desde])
    crashPoint('migracao.passo')
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK')
    const motivo = error instanceof Error ? error.message : String(error)
    throw new Error(`A migração ${nome} falhou e foi desfeita: ${motivo}`, { cause: error })
  }
}

async function ensureRole(client: PoolClient): Promise<void> {
  if (await mayWorkAs(client)) return
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [APP_ROLE])
    if (rowCount === 0) await client.query(`CREATE ROLE ${APP_ROLE} NOLOGIN NOBYPASSRLS`)
    await client.query(`GRANT ${APP_ROLE} TO CURRENT_USER`)
  } catch (error) {
    const { rows } = await client.query<{ usuario: string }>('SELECT quote_ident(current_user) AS usuario')
    const command = `CREATE ROLE ${APP_ROLE} NOLOGIN; GRANT ${APP_ROLE} TO ${rows[0]?.usuario ?? ''};`
    throw new Error(`O usuário do banco não pode criar papéis. Peça a um administrador do banco: ${command}`, {
      cause: error,
    })
  }
}

/** True if the role exists and this user may take it. Then the right to create roles is not needed. */
async function mayWorkAs(client: PoolClient): Promise<boolean> {
  try {
    await client.query(`SET ROLE ${APP_ROLE}`)
    await client.query('RESET ROLE')
    return true
  } catch {
    return false
  }
}

async function lacksRights(client: PoolClient): Promise<boolean> {
  const { rowCount } = await client.query(
    `SELECT 1 FROM pg_tables WHERE schemaname = 'public'
       AND NOT has_table_privilege($1, format('%I.%I', schemaname, tablename), 'SELECT') LIMIT 1`,
    [APP_ROLE],
  )
  return rowCount !== 0
}

/** Grants all rights to the working role, except update and delete where a migration says `-- append-only: tabela`. */
async function grant(client: PoolClient, migrations: readonly Migration[]): Promise<void> {
  const somenteInclui = migrations.flatMap(({ sql }) =>
    [...sql.matchAll(/^-- append-only: (\w+)$/gm)].map(([, name = '']) => name),
  )
  // Grants and revokes in one transaction, so that running nodes never lack a right.
  await client.query(`BEGIN;
    GRANT USAGE ON SCHEMA public TO ${APP_ROLE};
    GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO ${APP_ROLE};
    GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO ${APP_ROLE};
    REVOKE INSERT, UPDATE, DELETE ON migracoes FROM ${APP_ROLE};
    ${somenteInclui.map((table) => `REVOKE UPDATE, DELETE ON ${table} FROM ${APP_ROLE};`).join(' ')}
    COMMIT`)
}
