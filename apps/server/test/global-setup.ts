import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { createPool } from '#db/connection.ts'
import { ensureDataDir, startEmbedded } from '#db/embedded/supervisor.ts'
import { migrate } from '#db/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    banco: { host: string; user: string }
  }
}

/** One server for the whole run, with one migrated database that every test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Below /tmp whatever TMPDIR says: the database's user must be able to enter.
  const dataDir = await mkdtemp(join('/tmp', 'balcao-testes-'))
  ensureDataDir(dataDir)
  const servidor = await startEmbedded({
    dataDir,
    say: () => undefined,
    // Nothing here outlives the run, so nothing here needs to reach the disk.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '120' },
  })
  const { target } = servidor
  if ('url' in target) throw new Error('the tests run on the embedded server')
  const admin = createPool({ ...target, database: 'postgres' }, { max: 1 })
  await admin.query('CREATE DATABASE modelo')
  await admin.end()
  const modelo = createPool({ ...target, database: 'modelo' }, { max: 1 })
  await migrate(modelo)
  await modelo.end()
  project.provide('banco', { host: target.host, user: target.user })
  return async () => {
    await servidor.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
