import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MAIN = join(import.meta.dirname, '..', 'apps', 'server', 'start.mjs')

export const ADMIN = { email: 'admin@teste.local', senha: 'senha-do-admin-1' }

export interface Product {
  readonly url: string
  readonly dataDir: string
  readonly pid: () => number | undefined
  readonly output: () => string
  /** Sends SIGKILL to the program. Its database keeps running, and the next start uses it. */
  readonly kill: () => Promise<void>
  /** Sends SIGKILL to the database, as if it had ended on a full disk. The program keeps running. */
  readonly killDatabase: () => Promise<void>
  /** Sends SIGKILL to the program and to its database, like a power cut. */
  readonly powerCut: () => Promise<void>
  readonly start: () => Promise<void>
  /** Stops with SIGTERM. Resolves with the exit code. */
  readonly stop: () => Promise<number | null>
  readonly destroy: () => Promise<void>
}

function spawnProduct(extra: Record<string, string>, onOutput: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, NODE_ENV: 'production', ...extra },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => onOutput(part.toString()))
  return child
}

/** Resolves with the exit code. Null: a signal ended the process. */
function exitOf(child: ChildProcess): Promise<number | null> {
  return child.exitCode !== null || child.signalCode !== null
    ? Promise.resolve(child.exitCode)
    : new Promise((resolve) => child.once('exit', (code) => resolve(code)))
}

export async function startRefused(extra: Record<string, string>): Promise<{ codigo: number | null; saida: string }> {
  let saida = ''
  const codigo = await exitOf(spawnProduct(extra, (text) => (saida += text)))
  return { codigo, saida }
}

/**
 * A free port below the range that the system assigns to outgoing connections. A product that is killed and started
 * again finds it still free.
 */
async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const free = await new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
  return free ? port : freePort()
}

/** Waits without limit for a healthy answer. Throws if the process ends first. */
async function waitUntilUp(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`product ended with ${end}:\n${output()}`)
    const reply = await fetch(`${url}/api/health`).catch(() => null)
    if (reply?.ok === true) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Process id of the database in a folder. Rejects if none is running. */
async function databasePid(dataDir: string): Promise<number> {
  return Number((await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n')[0])
}

export async function startProduct(extra: Record<string, string> = {}): Promise<Product> {
  const dataDir = await mkdtemp(join(tmpdir(), 'balcao-e2e-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { PORT: String(port), DATA_DIR: dataDir, ADMIN_EMAIL: ADMIN.email, ADMIN_SENHA: ADMIN.senha, ...extra }
  let output = ''
  let child: ChildProcess | null = null

  const start = async (): Promise<void> => {
    child = spawnProduct(env, (text) => (output += text))
    await waitUntilUp(url, child, () => output)
  }
  const stop = async (): Promise<number | null> => {
    if (child === null) return null
    child.kill('SIGTERM')
    return exitOf(child)
  }
  const kill = async (): Promise<void> => {
    child?.kill('SIGKILL')
    if (child !== null) await exitOf(child)
  }
  const killDatabase = async (): Promise<void> => void process.kill(await databasePid(dataDir), 'SIGKILL')
  await start().catch(async (failure: unknown) => {
    await kill()
    await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
    throw failure
  })
  return {
    url,
    dataDir,
    pid: () => child?.pid,
    output: () => output,
    start,
    stop,
    kill,
    killDatabase,
    powerCut: async () => {
      await killDatabase()
      await kill()
    },
    destroy: async () => {
      await stop()
      // If a test killed the program without a restart, its database is still running.
      await databasePid(dataDir).then(
        (pid) => process.kill(pid, 'SIGKILL'),
        () => undefined,
      )
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}
