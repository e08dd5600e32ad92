// The product's entry. Plain JavaScript, so that the cache of compiled modules is on before the first TypeScript file is read:
// later starts then neither strip types nor compile, which is most of a start and a good part of the memory.
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

enableCompileCache(join(import.meta.dirname, '.cache'))
await import('./src/main.ts')
