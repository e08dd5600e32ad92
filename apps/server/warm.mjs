// Compiles all server modules after an installation or build, so that the first start is fast.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '.cache'))
await Promise.all([
  import('./src/composition.ts'),
  import('./src/adapters/ia/exchange.ts'),
  import('@ai-sdk/google'),
  import('@ai-sdk/openai'),
  import('@ai-sdk/anthropic'),
  import('@ai-sdk/openai-compatible'),
  import('./src/env.ts'),
  import('./src/shutdown.ts'),
  import('./src/db/migrate/migrate.ts'),
  import('./src/db/nodes/database-lock.ts'),
  import('./src/db/embedded/supervisor.ts'),
  import('./src/security/app-secret.ts'),
])
flushCompileCache()
// The links of PostgreSQL's libraries: under systemd the server cannot write its own folder.
const { findBinaries, linkLibraries } = await import('./src/db/embedded/binaries.ts')
try {
  linkLibraries(findBinaries())
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
}
process.exit(0)
