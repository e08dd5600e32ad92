import { spawn } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Place } from './place.ts'

export const SUPERUSER = 'balcao'

const SETTINGS: Readonly<Record<string, string>> = {
  // Durability is not for sale: both are the defaults, said aloud.
  fsync: 'on',
  synchronous_commit: 'on',
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '64MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '512MB',
  autovacuum_naptime: '20s',
  // Small machines: planning and compiling must never cost more than the query.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  logging_collector: 'off',
  log_min_messages: 'warning',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

interface Run {
  readonly code: number | null
  readonly output: string
}

/** Runs one of PostgreSQL's programs as the place's user, with the place's own libraries. */
export function runTool(place: Place, tool: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<Run> {
  return new Promise((resolve, reject) => {
    const filho = spawn(join(place.native, 'bin', tool), args, {
      ...(place.runAs ?? {}),
      cwd: '/',
      env: { PATH: process.env['PATH'], LC_ALL: 'C', LD_LIBRARY_PATH: join(place.native, 'lib') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const fluxo of [filho.stdout, filho.stderr]) fluxo.on('data', (parte: Buffer) => (output += parte.toString()))
    filho.on('error', reject)
    // `exit`, not `close`: the server that pg_ctl starts keeps the pipes.
    filho.on('exit', (code) => resolve({ code, output }))
  })
}

/** Makes the cluster once. It is made beside its place and moved there whole, so a killed start leaves no half of one. */
export async function ensureCluster(place: Place): Promise<void> {
  if (existsSync(join(place.pgdata, 'PG_VERSION'))) return
  const novo = `${place.pgdata}.novo`
  rmSync(novo, { recursive: true, force: true })
  mkdirSync(novo, { recursive: true, mode: 0o700 })
  if (place.runAs !== null) chownSync(novo, place.runAs.uid, place.runAs.gid)
  const { code, output } = await runTool(place, 'initdb', [
    ...['-D', novo, '-U', SUPERUSER, '--auth=trust', '--encoding=UTF8', '--no-instructions'],
    ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
  ])
  if (code !== 0) throw new Error(`O banco de dados não pôde ser criado: ${output.trim()}`)
  renameSync(novo, place.pgdata)
}

/** Starts the server of the cluster in the background; it outlives this process. */
export async function startCluster(place: Place, extra: Readonly<Record<string, string>>): Promise<void> {
  removeStalePid(place)
  const settings = { ...SETTINGS, unix_socket_directories: place.socketDir, ...extra }
  const opcoes = Object.entries(settings).map(([nome, valor]) => `-c ${nome}='${valor}'`)
  const args = [
    'start',
    '-w',
    '-t',
    '60',
    '-s',
    '-D',
    place.pgdata,
    '-l',
    join(place.pgdata, 'server.log'),
    '-o',
    opcoes.join(' '),
  ]
  const { code, output } = await runTool(place, 'pg_ctl', args)
  if (code === 0) return
  const registro = existsSync(join(place.pgdata, 'server.log'))
    ? readFileSync(join(place.pgdata, 'server.log'), 'utf8')
    : ''
  throw new Error(`O banco de dados não iniciou: ${output.trim()} ${registro.split('\n').slice(-8).join(' ')}`)
}

/** A pid file whose process is gone, or is some other program since a reboot, would keep the server from starting. */
function removeStalePid({ pgdata }: Place): void {
  const arquivo = join(pgdata, 'postmaster.pid')
  if (!existsSync(arquivo) || process.platform !== 'linux') return
  const [pid = ''] = readFileSync(arquivo, 'utf8').split('\n')
  const comando = `/proc/${pid}/comm`
  const vivo = existsSync(comando) && readFileSync(comando, 'utf8').trim() === 'postgres'
  if (!vivo) rmSync(arquivo, { force: true })
}

export async function stopCluster(place: Place): Promise<void> {
  await runTool(place, 'pg_ctl', ['stop', '-m', 'fast', '-w', '-t', '8', '-s', '-D', place.pgdata])
}
