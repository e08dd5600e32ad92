import { spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Place } from './place.ts'
import { removeStalePid } from './stale.ts'
import { LOOPBACK } from './tcp.ts'

export const SUPERUSER = 'balcao'

/** A socket's name carries a port: always this one, whatever PGPORT says. */
export const SOCKET_PORT = 5432

const LOG_MAX_BYTES = 5_000_000

const SETTINGS: Readonly<Record<string, string>> = {
  port: String(SOCKET_PORT),
  // Durability is not for sale: both are the defaults, said aloud.
  fsync: 'on',
  synchronous_commit: 'on',
  max_connections: '60',
  shared_buffers: '64MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '512MB',
  autovacuum_naptime: '20s',
  // Small machines: planning and compiling must never cost more than the query.
  jit: 'off',
  max_parallel_workers_per_gather: '0',
  // What customers wrote stays in tables: neither statements nor values go to the server's log.
  log_min_messages: 'warning',
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

/** Runs one of PostgreSQL's programs as the place's user, with the place's own libraries. */
function runTool(place: Place, tool: 'initdb' | 'pg_ctl', args: readonly string[]): Promise<Run> {
  const bibliotecas = join(place.native, 'lib')
  return new Promise((resolve, reject) => {
    const filho = spawn(join(place.native, 'bin', tool), args, {
      ...place.runAs,
      // The user it becomes might not be allowed where we are.
      cwd: place.native,
      env: {
        ...keep('PATH', 'SystemRoot', 'TEMP', 'TMP'),
        LC_ALL: 'C',
        LD_LIBRARY_PATH: bibliotecas,
        DYLD_LIBRARY_PATH: bibliotecas,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    let output = ''
    for (const fluxo of [filho.stdout, filho.stderr]) fluxo.on('data', (parte: Buffer) => (output += parte.toString()))
    filho.on('error', reject)
    // `exit`, not `close`: on some systems the server that pg_ctl starts keeps the pipes.
    filho.on('exit', (code) => setImmediate(() => resolve({ code, output })))
  })
}

/** The rest of our environment holds secrets, and settings meant for other servers. */
function keep(...nomes: readonly string[]): NodeJS.ProcessEnv {
  return Object.fromEntries(nomes.map((nome) => [nome, process.env[nome]]))
}

/**
 * Makes the cluster once. It is made beside its place and moved there whole, so a killed start leaves no half of one;
 * each try has a folder of its own, because the program that a killed start left behind may still be writing in its.
 */
export async function ensureCluster(place: Place, password: string | null): Promise<void> {
  if (existsSync(join(place.pgdata, 'PG_VERSION'))) return
  sweepHalves(place)
  const novo = mkdtempSync(`${place.pgdata}.novo-`)
  const chave = `${novo}.chave`
  if (password !== null) writeFileSync(chave, password, { mode: 0o600 })
  if (place.runAs !== null) {
    for (const caminho of [novo, ...(password === null ? [] : [chave])])
      chownSync(caminho, place.runAs.uid, place.runAs.gid)
  }
  const auth = password === null ? ['--auth=trust'] : ['--auth=scram-sha-256', `--pwfile=${chave}`]
  const { code, output } = await runTool(place, 'initdb', [
    '-D',
    novo,
    '-U',
    SUPERUSER,
    ...auth,
    '--encoding=UTF8',
    '--no-instructions',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ])
  rmSync(chave, { force: true })
  if (code !== 0) throw new Error(`O banco de dados não pôde ser criado: ${output.trim()}`)
  renameSync(novo, place.pgdata)
  syncFolder(dirname(place.pgdata))
}

function sweepHalves({ pgdata }: Place): void {
  for (const nome of readdirSync(dirname(pgdata))) {
    if (!nome.startsWith(`${basename(pgdata)}.novo-`)) continue
    try {
      rmSync(join(dirname(pgdata), nome), { recursive: true, force: true })
    } catch {
      // Still being written by a program on its way out: the next creation sweeps it.
    }
  }
}

/** Makes the rename itself survive a power cut. Windows neither needs nor allows it. */
function syncFolder(pasta: string): void {
  if (process.platform === 'win32') return
  const descritor = openSync(pasta, 'r')
  fsyncSync(descritor)
  closeSync(descritor)
}

/** Starts the server of the cluster in the background; it outlives this process. `port` only where it listens on TCP. */
export async function startCluster(
  place: Place,
  extra: Readonly<Record<string, string>>,
  port: number | null,
): Promise<void> {
  removeStalePid(place.pgdata, place.socketDir)
  const registro = join(place.pgdata, 'server.log')
  if (existsSync(registro) && statSync(registro).size > LOG_MAX_BYTES) renameSync(registro, `${registro}.1`)
  const inicio = existsSync(registro) ? statSync(registro).size : 0
  const settings = { ...SETTINGS, ...networkSettings(place, port), ...extra }
  const opcoes = Object.entries(settings).map(([nome, valor]) => `-c ${nome}=${quote(valor)}`)
  const { code, output } = await runTool(place, 'pg_ctl', [
    'start',
    '-w',
    '-t',
    '60',
    '-s',
    '-D',
    place.pgdata,
    '-l',
    registro,
    '-o',
    opcoes.join(' '),
  ])
  if (code === 0) return
  const dito = existsSync(registro) ? readFileSync(registro).subarray(inicio).toString() : ''
  throw new Error(`O banco de dados não iniciou: ${output.trim()} ${dito.trim().split('\n').slice(-8).join(' ')}`)
}

function networkSettings({ socketDir }: Place, port: number | null): Record<string, string> {
  if (socketDir !== null)
    return { listen_addresses: '', unix_socket_directories: socketDir, unix_socket_permissions: '0700' }
  return {
    listen_addresses: LOOPBACK,
    port: String(port),
    ...(process.platform === 'win32' ? {} : { unix_socket_directories: '' }),
  }
}

/** pg_ctl hands the options to a shell. On Windows no value has a space, and its shell knows no single quotes. */
function quote(valor: string): string {
  return process.platform === 'win32' ? valor : `'${valor.replaceAll("'", String.raw`'\''`)}'`
}

export async function stopCluster(place: Place): Promise<void> {
  const { code, output } = await runTool(place, 'pg_ctl', [
    'stop',
    '-m',
    'fast',
    '-w',
    '-t',
    '8',
    '-s',
    '-D',
    place.pgdata,
  ])
  if (code !== 0 && existsSync(join(place.pgdata, 'postmaster.pid')))
    throw new Error(`O banco de dados não parou: ${output.trim()}`)
}
