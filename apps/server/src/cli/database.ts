import { existsSync } from 'node:fs'
import type { Pool } from 'pg'
import type { Env } from '../env.ts'
import { type ConnectionTarget, createPool } from '#db/connection.ts'
import { findEmbedded } from '#db/embedded/supervisor.ts'
import { openDatabase } from '#db/open-database.ts'

export const say = (sentence: string): void => void process.stdout.write(`${sentence}\n`)

/** Runs `fn` on the database. Throws if a running Balcão holds the data folder or the external database. */
async function withDatabase<T>(env: Env, fn: (target: ConnectionTarget) => Promise<T>): Promise<T> {
  const { target, parts } = await openDatabase({ dataDir: env.dataDir, url: env.DATABASE_URL, use: 'alone', say })
  try {
    return await fn(target)
  } finally {
    for (const { close } of parts) await close()
  }
}

/** Runs `fn` on the database, also beside a running Balcão, through the private socket of its PostgreSQL. */
export async function besideServer<T>(env: Env, fn: (target: ConnectionTarget) => Promise<T>): Promise<T> {
  if (env.DATABASE_URL !== undefined) return fn({ url: env.DATABASE_URL })
  if (!existsSync(env.dataDir)) throw new Error(`Não há dados em ${env.dataDir}.`)
  const running = await findEmbedded({ dataDir: env.dataDir })
  return running === null ? withDatabase(env, fn) : fn(running)
}

export const withOwner = <T>(env: Env, fn: (owner: Pool) => Promise<T>): Promise<T> =>
  withDatabase(env, (target) => withPool(createPool(target, { max: 2 }), fn))

export async function withPool<T>(pool: Pool, fn: (owner: Pool) => Promise<T>): Promise<T> {
  try {
    return await fn(pool)
  } finally {
    await pool.end()
  }
}

export function requireDataFolder(env: Env): void {
  if (env.DATABASE_URL === undefined && !existsSync(env.dataDir)) throw new Error(`Não há dados em ${env.dataDir}.`)
}

export function total(tables: readonly { readonly linhas: number }[]): number {
  return tables.reduce((sum, { linhas }) => sum + linhas, 0)
}
