import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** Denies the start of services while packages are installed. */
const POLICY = '/usr/sbin/policy-rc.d'
const NO_CLUSTER = '/etc/postgresql-common/createcluster.conf'

/**
 * Installs the packages of which a path is missing. Throws a sentence where that is not possible. `why`: what the test
 * needs the root for.
 */
export function requirePackages(paths: Readonly<Record<string, string>>, why: string): void {
  const missing = (): string[] => Object.keys(paths).filter((name) => !existsSync(paths[name] ?? ''))
  const isRoot = process.getuid?.() === 0
  if (isRoot && missing().length > 0 && existsSync('/usr/bin/apt-get')) install(missing())
  const absent = missing()
  if (isRoot && absent.length === 0) return
  const needed = absent.length === 0 ? '' : ` Faltam pacotes do Debian: ${absent.join(' ')}.`
  throw new Error(`Este ensaio precisa do root, ${why}.${needed}`)
}

/** Neither the default cluster nor a service of a package starts, now or with the system. */
function install(names: readonly string[]): void {
  process.stdout.write(`apt-get install ${names.join(' ')}\n`)
  const ownPolicy = !existsSync(POLICY)
  if (ownPolicy) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  if (!existsSync(NO_CLUSTER)) {
    mkdirSync(dirname(NO_CLUSTER), { recursive: true })
    writeFileSync(NO_CLUSTER, 'create_main_cluster = false\n')
  }
  try {
    const quiet = ['-y', '-qq', '--no-install-recommends', '-o', 'Dpkg::Options::=--force-confold']
    if (!apt('install', ...quiet, ...names) && apt('update', '-qq')) apt('install', ...quiet, ...names)
  } finally {
    if (ownPolicy) rmSync(POLICY)
  }
  const services = names.map((name) => name.replace('etcd-server', 'etcd'))
  spawnSync('systemctl', ['disable', ...services], { stdio: 'ignore' })
}

function apt(...args: readonly string[]): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env }).status === 0
}
