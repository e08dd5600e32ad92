import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createPool } from '#db/connection.ts'
import { lockDataDir } from '#db/embedded/lock.ts'
import { type EmbeddedServer, ensureDataDir, startEmbedded } from '#db/embedded/supervisor.ts'
import { migrate } from '#db/migrate/migrate.ts'
import { DATABASE_FOLDER } from '#test/database-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    banco: Omit<EmbeddedServer['target'], 'database'>
    /** Login of ordinary connections. */
    login: Omit<EmbeddedServer['poolTarget'], 'database'>
  }
}

const PREFIX = 'balcao-testes-'
const ABANDONED_MS = 600_000

// The data is discarded after the run, so durability is off.
const FAST = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '120' }

/** Starts one PostgreSQL server per run, with a migrated template database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await sweepAbandoned()
  const dataDir = await mkdtemp(join(DATABASE_FOLDER, PREFIX))
  const { servidor, end } = await open(dataDir)
  const { database: _, ...banco } = servidor.target
  const admin = createPool({ ...banco, database: 'postgres' }, { max: 1, statementTimeoutMs: 60_000 })
  await admin.query('CREATE DATABASE modelo')
  await admin.end()
  const modelo = createPool({ ...banco, database: 'modelo' }, { max: 1 })
  await migrate(modelo)
  await modelo.end()
  const { database: _default, ...login } = servidor.poolTarget
  project.provide('banco', banco)
  project.provide('login', login)
  return end
}

async function open(dataDir: string): Promise<{ servidor: EmbeddedServer; end: () => Promise<void> }> {
  ensureDataDir(dataDir)
  const lock = await lockDataDir(dataDir)
  const servidor = await startEmbedded({ dataDir, say: () => undefined, settings: FAST })
  const end = async (): Promise<void> => {
    await servidor.stop()
    await rm(dataDir, { recursive: true, force: true })
    await rm(dirname(servidor.pgdata), { recursive: true, force: true })
    await lock.release()
  }
  return { servidor, end }
}

/** Stops servers left by killed runs. A lock marks the runs that are alive. */
async function sweepAbandoned(): Promise<void> {
  for (const name of await readdir(DATABASE_FOLDER)) {
    const folder = join(DATABASE_FOLDER, name)
    if (!name.startsWith(PREFIX)) continue
    try {
      if (Date.now() - (await stat(folder)).mtimeMs > ABANDONED_MS) await (await open(folder)).end()
    } catch {
      // In use, or being removed by another run.
    }
  }
}
