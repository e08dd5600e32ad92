// Assembles the product in a folder: sources, panel, production packages and compile cache. The Containerfile runs it
// after the build. `node deploy/producao.mjs <folder>`; the folder must be the final path, because the compile cache
// depends on it.
import { spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fail, nodeBinary, ROOT, say, treeDifferences } from '../scripts/toolchain.mjs'
import { trimPackages } from './trim.mjs'

/** Paths of the product. `packages/whatsapp` may be absent. */
const PRODUCT = [
  'LICENSE',
  'THIRD-PARTY.md',
  'package.json',
  'package-lock.json',
  '.npmrc',
  'deploy/saude.mjs',
  'apps/server/package.json',
  'apps/server/start.mjs',
  'apps/server/warm.mjs',
  'apps/server/migrations',
  'apps/server/src',
  'apps/web/dist',
  ...globSync('packages/*/{package.json,src,sem-sharp}', { cwd: ROOT }),
]
const WORKSPACES = ['apps/server', 'packages/whatsapp']
/** Needed only to install the product or to compile against Node. */
const LEFTOVERS = [
  'package-lock.json',
  '.npmrc',
  'apps/server/warm.mjs',
  'node_modules/.package-lock.json',
  'node_modules/node-linux-*/{include,share,CHANGELOG.md}',
]
/** User of the image. The compile cache has a folder for each uid. */
const USER = 10_001

const [target] = process.argv.slice(2)
if (target === undefined) fail('diga a pasta: node deploy/producao.mjs <pasta>')

function run(program, args, options = {}) {
  const { status } = spawnSync(program, args, { cwd: target, stdio: 'inherit', ...options })
  if (status !== 0) fail(`falhou: ${program} ${args.join(' ')}`)
}

function copySources() {
  for (const path of PRODUCT) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    cpSync(join(ROOT, path), join(target, path), { recursive: true, filter: (file) => !/\.test\.tsx?$/.test(file) })
  }
}

/** `npm install`, because `npm ci` refuses a lock without the packages of other platforms. The lock gives the sums. */
function installPackages() {
  const workspaces = WORKSPACES.filter((path) => existsSync(join(target, path))).map((path) => `--workspace=${path}`)
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', [
    'install',
    '--no-save',
    '--omit=dev',
    '--prefer-offline',
    '--include-workspace-root',
    ...workspaces,
    ...quiet,
  ])
  const read = (path) => JSON.parse(readFileSync(join(target, path), 'utf8'))
  const differences = treeDifferences(read('package-lock.json'), read('node_modules/.package-lock.json'))
  // Packages of tests and tools are absent by intention.
  const foreign = differences.filter((difference) => !difference.endsWith(' falta'))
  if (foreign.length > 0) fail(`a instalação não é igual ao package-lock.json: ${foreign.join('; ')}`)
}

/** Compiles the modules and links PostgreSQL's libraries, because the image is read-only at run time. */
function prepareStart() {
  run(nodeBinary(), [
    '-e',
    'import("./apps/server/src/db/embedded/binaries.ts").then((b) => b.linkLibraries(b.findBinaries()))',
  ])
  const cache = join(target, 'apps', 'server', '.cache')
  mkdirSync(cache)
  chownSync(cache, USER, USER)
  run(join(target, 'node_modules', '.bin', 'node'), ['apps/server/warm.mjs'], { uid: USER, gid: USER })
  run('chown', ['-R', '0:0', cache])
}

copySources()
installPackages()
for (const folder of globSync(['node_modules', '{apps,packages}/*/node_modules'], { cwd: target }))
  trimPackages(join(target, folder))
prepareStart()
for (const path of globSync(LEFTOVERS, { cwd: target })) rmSync(join(target, path), { recursive: true, force: true })
say(`produto pronto em ${target}`)
