// Plain JavaScript for any Node >= 20: installs the locked dependencies, finds the project's Node 24 and runs
// programs with it.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
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
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .update(plataforma)
    .digest('hex')
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
  // No install script is needed: binaries are inside packages, and the links of the database are made at start.
  // `install` instead of `ci`, because `ci` fails when a registry lacks optional binaries of other platforms. With
  // the lock unchanged, both install the same packages.
  const [programa, ...antes] = npmCommand()
  const npm = spawnSync(
    programa,
    [...antes, 'install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    {
      cwd: ROOT,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
      env: { ...process.env, NODE_ENV: '' },
    },
  )
  if (npm.status !== 0) {
    fail('a instalação das dependências falhou. Confira a conexão com o registro do npm e rode o comando de novo.')
  }
  mkdirSync(dirname(SELO), { recursive: true })
  writeFileSync(SELO, esperado)
  say(`dependências prontas em ${Math.round((Date.now() - inicio) / 1000)} s`)
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
