// Plain JavaScript for any Node >= 20: installs the locked dependencies, finds the project's Node 24 and runs
// programs with it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const LOCK = join(ROOT, 'package-lock.json')
const SELO = join(ROOT, 'node_modules', '.balcao-instalado')

export function say(frase) {
  process.stderr.write(`balcão · ${frase}\n`)
}

export function fail(frase) {
  process.stderr.write(`\nbalcão · ${frase}\n`)
  process.exit(1)
}

function lockHash() {
  const plataforma = `${process.platform}-${process.arch}`
  const lock = readFileSync(LOCK)
  const faltam = missingWorkspaces(JSON.parse(lock))
  return createHash('sha256').update(lock).update(plataforma).update(faltam.join()).digest('hex')
}

/** Folders of locked workspaces that this copy does not have. `packages/whatsapp` may be left out. */
function missingWorkspaces({ packages }) {
  const pastas = Object.keys(packages).filter((caminho) => caminho !== '' && !caminho.includes('node_modules/'))
  return pastas.filter((caminho) => !existsSync(join(ROOT, caminho)))
}

export function npmCommand() {
  // Under `npm start` npm names its own program; elsewhere it is on the PATH.
  const { npm_execpath: programa } = process.env
  return programa?.endsWith('.js') || programa?.endsWith('.cjs') ? [process.execPath, programa] : ['npm']
}

/** Installs the locked dependencies unless the current lock is installed already. */
export function ensureInstalled() {
  const esperado = lockHash()
  if (existsSync(SELO) && readFileSync(SELO, 'utf8') === esperado) return
  const inicio = Date.now()
  say('instalando as dependências travadas (um a três minutos na primeira vez)…')
  rmSync(SELO, { force: true })
  const lock = readFileSync(LOCK, 'utf8')
  installLocked(JSON.parse(lock))
  if (readFileSync(LOCK, 'utf8') !== lock) {
    writeFileSync(LOCK, lock)
    fail('a instalação tentou mudar o package-lock.json. O arquivo foi mantido; rode o comando de novo.')
  }
  mkdirSync(dirname(SELO), { recursive: true })
  writeFileSync(SELO, esperado)
  say(`dependências prontas em ${Math.round((Date.now() - inicio) / 1000)} s`)
}

/**
 * `npm ci` refuses a lock without the optional packages of other platforms, which some registries do not have. Only
 * then `npm install` runs, and its result is compared with the lock. No install script is needed: binaries are inside
 * packages, and the links of the database are made at start.
 */
function installLocked(lock) {
  const strict = runNpm('ci')
  if (strict.status === 0) return
  if (!onlyOptionalMissing(strict.stderr, lock)) {
    process.stderr.write(strict.stderr)
    fail('a instalação das dependências falhou. Confira a conexão com o registro do npm e rode o comando de novo.')
  }
  const lenient = runNpm('install', '--no-save')
  if (lenient.status !== 0) {
    process.stderr.write(lenient.stderr)
    fail('a instalação das dependências falhou. Confira a conexão com o registro do npm e rode o comando de novo.')
  }
  const installed = JSON.parse(readFileSync(join(ROOT, 'node_modules', '.package-lock.json'), 'utf8'))
  const differences = treeDifferences(lock, installed, missingWorkspaces(lock))
  if (differences.length > 0) {
    fail(
      `a instalação não é igual ao package-lock.json: ${differences.join('; ')}. Apague node_modules e tente de novo.`,
    )
  }
}

function runNpm(...command) {
  const [program, ...before] = npmCommand()
  return spawnSync(
    program,
    [...before, ...command, '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: ROOT,
      stdio: ['ignore', 2, 'pipe'],
      encoding: 'utf8',
      shell: process.platform === 'win32',
      env: { ...process.env, NODE_ENV: '' },
    },
  )
}

/** Exact versions of the optional packages that locked packages name: `name → version`. */
function optionalPins(lock) {
  return new Map(
    Object.values(lock.packages).flatMap(({ optionalDependencies = {} }) => Object.entries(optionalDependencies)),
  )
}

/** True if the complaints of `npm ci` name nothing but optional packages that the lock does not have. */
export function onlyOptionalMissing(stderr, lock) {
  const complaints = stderr.split('\n').filter((line) => /^npm error (Missing|Invalid):/.test(line))
  const pins = optionalPins(lock)
  return (
    complaints.length > 0 &&
    complaints.every((line) => {
      const [, name] = /^npm error Missing: (@?[^@\s]+)@\S* from lock file/.exec(line) ?? []
      return name !== undefined && pins.has(name)
    })
  )
}

/** Resolves `name` from `path` as Node does: its own folder first, then each one above. */
export function resolveLocked(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const candidate = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const found = packages[candidate]
    if (found?.link === true) return found.resolved
    if (found !== undefined) return candidate
    if (folder === '') return undefined
  }
}

/** The locked packages that a package may load, optional and peer dependencies included. */
export function lockedDependencies(packages, path) {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = packages[path]
  const own = !path.includes('node_modules/')
  const names = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...(own ? devDependencies : {}) }
  const found = Object.keys(names).map((name) => resolveLocked(packages, path, name))
  return [...new Set(found.filter((one) => one !== undefined))]
}

/** Paths of all locked packages that the workspaces need, except those that only `missing` workspaces need. */
function neededPackages({ packages }, missing) {
  const needed = new Set(
    Object.keys(packages).filter((path) => !path.includes('node_modules/') && !missing.includes(path)),
  )
  for (const path of needed) {
    for (const dependency of lockedDependencies(packages, path))
      if (!missing.includes(dependency)) needed.add(dependency)
  }
  return needed
}

/**
 * Differences between the lock and the installed tree (`node_modules/.package-lock.json`), as sentences. A package
 * outside the lock is allowed if a locked package names it as optional with exactly this version. Packages that only
 * `missing` workspaces need may be absent.
 */
export function treeDifferences(lock, installed, missing = []) {
  const pins = optionalPins(lock)
  const changed = Object.entries(installed.packages).flatMap(([path, { version, integrity, link }]) => {
    const locked = lock.packages[path]
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (link === true || !path.includes('node_modules/')) return []
    if (locked === undefined) return pins.get(name) === version ? [] : [`${name} ${version} não está travado`]
    if (locked.version !== version) return [`${name} ${version} no lugar de ${locked.version}`]
    return locked.integrity === integrity ? [] : [`${name} ${version} com outra soma`]
  })
  const needed = missing.length === 0 ? null : neededPackages(lock, missing)
  const absent = Object.entries(lock.packages)
    .filter(([path, { optional, link }]) => path.includes('node_modules/') && optional !== true && link !== true)
    .filter(([path]) => needed === null || needed.has(path))
    .filter(([path]) => installed.packages[path] === undefined)
    .map(([path]) => `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)} falta`)
  return [...changed, ...absent]
}

/** The Node that runs the product: the one of package-lock.json, or the system's if it is new enough. */
export function nodeBinary() {
  const sistema = process.platform === 'win32' ? 'win' : process.platform
  const exe = process.platform === 'win32' ? 'node.exe' : 'node'
  const travado = join(ROOT, 'node_modules', `node-${sistema}-${process.arch}`, 'bin', exe)
  if (existsSync(travado) && spawnSync(travado, ['--version']).status === 0) return travado
  const maior = Number(process.versions.node.split('.')[0])
  if (maior >= 24) return process.execPath
  return fail(
    `este sistema (${process.platform}-${process.arch}) precisa do Node 24 ou mais novo; o instalado é o ${process.version}.`,
  )
}

/** The environment of the project's tools: its Node and its tools come first on the PATH. */
export function toolEnv(extra = {}) {
  const caminho = [dirname(nodeBinary()), join(ROOT, 'node_modules', '.bin'), process.env.PATH].join(delimiter)
  return { ...process.env, PATH: caminho, ...extra }
}

export function binOf(pacote, nome = pacote) {
  const require = createRequire(join(ROOT, 'package.json'))
  const arquivo = join(ROOT, 'node_modules', pacote, 'package.json')
  const { bin } = require(arquivo)
  return join(dirname(arquivo), typeof bin === 'string' ? bin : bin[nome])
}

export function runNode(args, { env = {}, cwd = ROOT } = {}) {
  return new Promise((resolve) => {
    const filho = spawn(nodeBinary(), args, { cwd, env: toolEnv(env), stdio: 'inherit' })
    const passar = (sinal) => filho.kill(sinal)
    for (const sinal of ['SIGINT', 'SIGTERM']) process.on(sinal, passar)
    filho.on('exit', (codigo, sinal) => {
      for (const nome of ['SIGINT', 'SIGTERM']) process.off(nome, passar)
      resolve(codigo ?? (sinal === null ? 1 : 130))
    })
  })
}
