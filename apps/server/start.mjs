// Entry point, in plain JavaScript so that the compile cache is on before the first TypeScript file. Later starts
// skip type stripping and compilation, which is most of the start time.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '.cache'))
await import('./src/main.ts')
