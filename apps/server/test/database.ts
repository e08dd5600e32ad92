import { randomBytes } from 'node:crypto'
import type { Pool } from 'pg'
import { inject } from 'vitest'
import { createPool } from '#db/connection.ts'
import type { EmbeddedServer } from '#db/embedded/supervisor.ts'
import { APP_ROLE } from '#db/migrate/working-role.ts'
import { createDatabase, type Database } from '#db/transaction.ts'

export interface TestDatabase {
  readonly db: Database
  /** Connection as table owner, without row-level security, to read what was written. */
  readonly owner: Pool
  readonly target: EmbeddedServer['target']
  readonly drop: () => Promise<void>
}

// Generous limits for slow machines. Tests of the timeouts use the product's limits.
const PATIENT_LIMITS = { statementTimeoutMs: 60_000, lockTimeoutMs: 30_000 }

/** Creates a migrated database for one test file. `comPrazos`: with the product's statement timeouts. */
export async function createTestDatabase({ comPrazos = false } = {}): Promise<TestDatabase> {
  const banco = inject('banco')
  const database = `t_${randomBytes(6).toString('hex')}`
  const admin = createPool({ ...banco, database: 'postgres' }, { max: 1, ...PATIENT_LIMITS })
  await admin.query(`CREATE DATABASE ${database} TEMPLATE modelo STRATEGY FILE_COPY`)
  const target = { ...banco, database }
  const owner = createPool(target, { max: 2, ...PATIENT_LIMITS })
  const pool = createPool(
    { ...inject('login'), database },
    { role: APP_ROLE, max: 8, ...(comPrazos ? {} : PATIENT_LIMITS) },
  )
  const db = createDatabase({
    pool,
    log: { error: (data, mensagem) => process.stderr.write(`${mensagem} ${JSON.stringify(data)}\n`) },
  })
  return {
    db,
    owner,
    target,
    drop: async () => {
      await db.end()
      await owner.end()
      await admin.query(`DROP DATABASE ${database} WITH (FORCE)`)
      await admin.end()
    },
  }
}
