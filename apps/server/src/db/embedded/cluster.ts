import { spawn } from 'node:child_process'
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { type AddressInfo, createServer } from 'node:net'
import { syncFolder } from '#lib/durable-files.ts'
import { type FileLock, lockFile } from './lock.ts'
import { SUPERUSER } from './logins.ts'
import type { ClusterPlace } from './place.ts'

/**
 * Removes pid files whose pid now belongs to another program, as after a reboot or in a new container. PostgreSQL
 * would take that program for its own server and refuse to start.
 * Files with a dead pid stay: PostgreSQL handles them and also checks the shared memory of the dead server. Removes
 * nothing while a process runs in the cluster's folder.
 */
function removeStalePid(pgdata: string, socketDir: string | null): void {
  if (process.platform !== 'linux') return
  const arquivos = [
    join(pgdata, 'postmaster.pid'),
    ...(socketDir === null ? [] : [join(socketDir, '.s.PGSQL.5432.lock')]),
  ]
  const enganosos = arquivos.filter(
    (arquivo) => existsSync(arquivo) && isAlive(readFileSync(arquivo, 'utf8').split('\n')[0] ?? ''),
  )
  if (enganosos.length === 0 || hasProcessIn(pgdata)) return
  for (const arquivo of enganosos) rmSync(arquivo, { force: true })
}

function isAlive(pid: string): boolean {
  return pid !== '' && existsSync(`/proc/${pid}`)
}

/** Every process of a PostgreSQL server has the cluster as its working folder. */
function hasProcessIn(pgdata: string): boolean {
  return readdirSync('/proc').some((name) => /^\d+$/.test(name) && workingFolder(name) === pgdata)
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    // The process has ended or belongs to another user. Our server would be readable.
    return null
  }
}

/** PostgreSQL puts the port into the socket's name. Fixed, so that PGPORT has no effect. */
export const SOCKET_PORT = 5432

const LOG_FILE = 'server.log'
const LOG_MAX_BYTES = 5_000_000

const SETTINGS: Readonly<Record<string, string>> = {
  port: String(SOCKET_PORT),
  // Defaults of PostgreSQL, stated because durability depends on them.
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '60',
  shared_buffers: '64MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '512MB',
  autovacuum_naptime: '20s',
  // On small machines JIT and parallel workers cost more than they save.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // Errors of statements are in our own log. Each refusal of the daily limit would add a line here. Neither statements
  // nor values are logged, which keeps customers' texts out.
  log_min_messages: 'fatal',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
  logging_collector: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

interface Run {
  readonly code: number | null
  readonly output: string
}

/** `inherited` is an open descriptor for the program and its children. */
function runTool(
  place: ClusterPlace,
  tool: 'initdb' | 'pg_ctl',
  args: readonly string[],
  inherited: number | null = null,
): Promise<Run> {
  const bibliotecas = join(place.native, 'lib')
  return new Promise((resolve, reject) => {
    const child = spawn(join(place.native, 'bin', tool), args, {
      ...place.runAs,
      // `runAs` may have no access to the current folder.
      cwd: place.native,
      env: {
        ...keep('PATH', 'SystemRoot', 'TEMP', 'TMP'),
        LC_ALL: 'C',
        LD_LIBRARY_PATH: bibliotecas,
        DYLD_LIBRARY_PATH: bibliotecas,
      },
      stdio: ['ignore', 'pipe', 'pipe', ...(inherited === null ? [] : [inherited])],
      windowsHide: true,
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => (output += part.toString()))
    child.on('error', reject)
    // Waits for `exit`, not `close`: on some systems the server started by pg_ctl keeps the pipes open.
    child.on('exit', (code) => setImmediate(() => resolve({ code, output })))
  })
}

/** Passes on only the named variables: the environment holds secrets and settings of other PostgreSQL servers. */
function keep(...names: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(names.map((name) => [name, process.env[name]]))
}

/**
 * Creates the cluster if there is none. initdb writes to a temporary folder that is then renamed, so a killed start
 * leaves no partial cluster. Each attempt has its own folder because a killed initdb may still be writing.
 */
export async function ensureCluster(place: ClusterPlace, password: string): Promise<void> {
  if (existsSync(join(place.pgdata, 'PG_VERSION'))) return
  sweepHalves(place)
  const fresh = mkdtempSync(`${place.pgdata}.novo-`)
  const key = `${fresh}.chave`
  writeFileSync(key, password, { mode: 0o600 })
  if (place.runAs !== null) {
    for (const path of [fresh, key]) chownSync(path, place.runAs.uid, place.runAs.gid)
  }
  const { code, output } = await runTool(place, 'initdb', [
    '-D',
    fresh,
    '-U',
    SUPERUSER,
    '--auth=scram-sha-256',
    `--pwfile=${key}`,
    '--encoding=UTF8',
    '--no-instructions',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ])
  rmSync(key, { force: true })
  if (code !== 0) throw new Error(`O banco de dados não pôde ser criado: ${output.trim()}`)
  renameSync(fresh, place.pgdata)
  syncFolder(dirname(place.pgdata))
}

function sweepHalves({ pgdata }: ClusterPlace): void {
  for (const name of readdirSync(dirname(pgdata))) {
    if (!name.startsWith(`${basename(pgdata)}.novo-`)) continue
    try {
      rmSync(join(dirname(pgdata), name), { recursive: true, force: true })
    } catch {
      // An initdb that is ending still writes here. The next creation deletes the folder.
    }
  }
}

/** A process of this cluster's server is alive, here or in another container. */
export class ClusterHeld extends Error {}

/**
 * Starts the server in the background; it outlives this process. Throws `ClusterHeld` while a process of an earlier
 * server lives. `port` is set only where the server listens on TCP.
 */
export async function startCluster(
  place: ClusterPlace,
  extra: Readonly<Record<string, string>>,
  port: number | null,
): Promise<void> {
  const lock = lockServer(place)
  try {
    // With the lock no server lives. A pid file, whose pid may exist in this container by chance, is then stale.
    removeStalePid(place.pgdata, place.socketDir)
    await startServer(place, { ...networkSettings(place, port), ...extra }, lock?.descriptor ?? null)
  } finally {
    // All processes of the server inherited the lock.
    lock?.close()
  }
}

/** Null on a system without file locks. */
function lockServer({ serverLock }: ClusterPlace): FileLock | null {
  const lock = lockFile(serverLock)
  if (lock === 'taken') {
    throw new ClusterHeld(
      'Outro PostgreSQL ainda usa os dados desta pasta, em outro contêiner ou encerrando. Encerre-o antes de iniciar.',
    )
  }
  return lock === 'unavailable' ? null : lock
}

async function startServer(
  place: ClusterPlace,
  extra: Readonly<Record<string, string>>,
  inherited: number | null,
): Promise<void> {
  const registro = join(place.pgdata, LOG_FILE)
  if (existsSync(registro) && statSync(registro).size > LOG_MAX_BYTES) renameSync(registro, `${registro}.1`)
  const start = existsSync(registro) ? statSync(registro).size : 0
  const opcoes = Object.entries({ ...SETTINGS, ...extra }).map(([name, valor]) => `-c ${name}=${quote(valor)}`)
  const args = ['start', '-w', '-t', '60', '-s', '-D', place.pgdata, '-l', registro, '-o', opcoes.join(' ')]
  const { code, output } = await runTool(place, 'pg_ctl', args, inherited)
  if (code === 0) return
  const said = existsSync(registro) ? readFileSync(registro).subarray(start).toString() : ''
  throw new Error(`O banco de dados não iniciou: ${output.trim()} ${said.trim().split('\n').slice(-8).join(' ')}`)
}

/** Empties the log of a running server beyond 5 MB. The server appends, so it continues at the beginning. */
export function emptyLargeLog({ pgdata }: Pick<ClusterPlace, 'pgdata'>): void {
  const log = join(pgdata, LOG_FILE)
  if (existsSync(log) && statSync(log).size > LOG_MAX_BYTES) truncateSync(log)
}

function networkSettings({ socketDir }: ClusterPlace, port: number | null): Record<string, string> {
  if (socketDir !== null)
    return { listen_addresses: '', unix_socket_directories: socketDir, unix_socket_permissions: '0700' }
  return {
    listen_addresses: LOOPBACK,
    port: String(port),
    ...(process.platform === 'win32' ? {} : { unix_socket_directories: '' }),
  }
}

/** pg_ctl passes the options to a shell. The shell of Windows has no single quotes; no value there contains a space. */
function quote(value: string): string {
  return process.platform === 'win32' ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`
}

/** Code of `pg_ctl status` if no server is running, also if one ended without removing its pid file. */
const NOT_RUNNING = 3

/** Stops the server. Resolves also if it had ended. */
export async function stopCluster(place: ClusterPlace): Promise<void> {
  const args = ['stop', '-m', 'fast', '-w', '-t', '8', '-s', '-D', place.pgdata]
  const { code, output } = await runTool(place, 'pg_ctl', args)
  if (code === 0) return
  const status = await runTool(place, 'pg_ctl', ['status', '-D', place.pgdata])
  if (status.code !== NOT_RUNNING) throw new Error(`O banco de dados não parou: ${output.trim()}`)
}

/** Without private sockets (Windows) the server listens on the loopback and requires a random password. */
export const LOOPBACK = '127.0.0.1'

export function runningPort(pgdata: string): number | null {
  const arquivo = join(pgdata, 'postmaster.pid')
  if (!existsSync(arquivo)) return null
  const porta = Number(readFileSync(arquivo, 'utf8').split('\n')[3])
  return Number.isInteger(porta) && porta > 0 ? porta : null
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, LOOPBACK, () => {
      const endereco: AddressInfo | string | null = server.address()
      const porta = typeof endereco === 'object' ? (endereco?.port ?? 0) : 0
      server.close(() => resolve(porta))
    })
  })
}
