// `npm start`: installs, builds, and runs the product as one process.
import { join } from 'node:path'
import { ensureInstalled, ROOT, runNode } from './toolchain.mjs'

ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.exitCode = await runNode([join(ROOT, 'apps', 'server', 'start.mjs')])
