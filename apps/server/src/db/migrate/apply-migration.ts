import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolClient } from 'pg'
import type { CrashPoints } from '#lib/crash-points.ts'

/** Rest between two tries of a migration, in times of its wait. A long reader, such as a copy, ends meanwhile. */
const LOCK_REST = 2
/** A migration gives up after so many tries, about half an hour. */
const LOCK_TRIES = 300

/**
 * How a file runs, from its second line. `transacao`: in one transaction. `concorrente`: one statement that builds or
 * drops an index `concurrently`. `partes`: one statement with a limit, which repeats until it changes no row.
 */
export type MigrationMode = 'transacao' | 'concorrente' | 'partes'

export interface Migration {
  readonly nome: string
  readonly sql: string
  readonly sha256: string
  /** Oldest program version that may run with the migration, from its first line. Null: only versions that have it. */
  readonly desde: string | null
  readonly mode: MigrationMode
}

export interface ApplyOptions {
  readonly crashPoint: CrashPoints
  readonly lockMs: number
}

/** Applies one file and records it. Throws a Portuguese sentence if it fails; then nothing of it is stored, except finished parts. */
export async function applyMigration(client: PoolClient, migration: Migration, options: ApplyOptions): Promise<void> {
  try {
    if (migration.mode === 'concorrente') await buildIndex(client, migration, options)
    else if (migration.mode === 'partes') await applyInParts(client, migration, options)
    else await applyInTransaction(client, migration, options)
  } catch (error) {
    await client.query('ROLLBACK')
    const motivo = error instanceof Error ? error.message : String(error)
    throw new Error(`A migração ${migration.nome} falhou e foi desfeita: ${motivo}`, { cause: error })
  }
}

async function applyInTransaction(client: PoolClient, migration: Migration, options: ApplyOptions): Promise<void> {
  await withShortLocks(client, migration, options, async () => {
    await client.query(migration.sql)
    await record(client, migration)
    options.crashPoint('migracao.passo')
  })
}

/** Each part commits, so a crash repeats only the last one. A part is one statement, so the rows of all contas are visible. */
async function applyInParts(client: PoolClient, migration: Migration, options: ApplyOptions): Promise<void> {
  let changed: number | null = null
  while (changed !== 0) {
    await withShortLocks(client, migration, options, async () => {
      await client.query(`SELECT set_config('app.contas', '*', true)`)
      changed = (await client.query(migration.sql)).rowCount
      if (changed === 0) await record(client, migration)
      options.crashPoint('migracao.passo')
    })
  }
}

const INDEX = /\b(create(?: unique)?|drop) index concurrently (?:if (?:not )?exists )?(\w+)/i

/** An interrupted build leaves an invalid index, which is dropped first. A finished one may lack its record. */
async function buildIndex(client: PoolClient, migration: Migration, { crashPoint }: ApplyOptions): Promise<void> {
  const [, verb, name] = INDEX.exec(migration.sql) ?? []
  if (verb === undefined || name === undefined) throw new Error('the file has no "index concurrently"')
  const found = 'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass($1)'
  const [index] = (await client.query<{ valid: boolean }>(found, [name])).rows
  if (index?.valid === false) await client.query(`DROP INDEX CONCURRENTLY ${name}`)
  const exists = index?.valid === true
  if (exists === (verb.toLowerCase() === 'drop')) await client.query(migration.sql)
  crashPoint('migracao.passo')
  await record(client, migration)
}

async function record(client: PoolClient, { nome, sha256, desde }: Migration): Promise<void> {
  await client.query('INSERT INTO migracoes (nome, sha256, desde) VALUES ($1, $2, $3)', [nome, sha256, desde])
}

/** Runs the work in a transaction. Beside running nodes it waits for a lock for `lockMs` only, rests, and tries again. */
async function withShortLocks(
  client: PoolClient,
  { desde }: Migration,
  { lockMs }: ApplyOptions,
  work: () => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    await client.query('BEGIN')
    try {
      if (desde !== null) await client.query(`SET LOCAL lock_timeout = ${lockMs}`)
      await work()
      await client.query('COMMIT')
      return
    } catch (error) {
      if (tries === LOCK_TRIES || !isLockTimeout(error)) throw error
      await client.query('ROLLBACK')
      await sleep(LOCK_REST * lockMs)
    }
  }
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'
}
