import { createHash } from 'node:crypto'
import { closeSync, openSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { spawnSync } from 'node:child_process'

const ASK_MS = 1_000
const ATTEMPTS = 3
const RETRY_MS = 100

export function folderHash(dataDir: string): string {
  return createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16)
}

/**
 * Locks the folder for this process. Throws a Portuguese sentence that names the owner's pid if it is in use.
 * A listening local socket names the owner, and the file `trava` also refuses processes of other containers. The
 * kernel releases both with their owner, so they cannot become stale and do not depend on pids.
 */
export async function lockDataDir(dataDir: string) {
  const server = await lockSocket(dataDir)
  const close = (): Promise<void> => new Promise((resolve) => server.close(() => resolve()))
  for (let attempt = 1; ; attempt += 1) {
    const file = lockFile(join(dataDir, 'trava'))
    if (file === 'unavailable') return { release: close }
    if (file !== 'taken') {
      return {
        release: () => {
          file.close()
          return close()
        },
      }
    }
    if (attempt === ATTEMPTS) break
    // A killed owner may release its socket some milliseconds before its file.
    await sleep(RETRY_MS)
  }
  await close()
  throw new Error(refusal(dataDir, null))
}

async function lockSocket(dataDir: string): Promise<Server> {
  const endereco = lockAddress(dataDir)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const server = await listen(endereco)
    if (server !== null) return server
    const dono = await askLockOwner(endereco)
    if (dono.vivo) throw new Error(refusal(dataDir, dono.pid))
    // The owner has just ended. On macOS the socket is a file that a killed owner leaves behind.
    if (process.platform !== 'linux' && process.platform !== 'win32') await rm(endereco, { force: true })
  }
  throw new Error(refusal(dataDir, null))
}

function listen(address: string): Promise<Server | null> {
  const server = createServer((cliente) => {
    cliente.on('error', () => undefined)
    cliente.end(String(process.pid))
  })
  // The lock must not keep the process running.
  server.unref()
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    server.listen(address, () => resolve(server))
  })
}

function refusal(dataDir: string, ownerPid: string | null): string {
  const processo = ownerPid === null ? 'por outro processo ou contêiner' : `pelo processo ${ownerPid}`
  return `A pasta de dados ${dataDir} já está em uso ${processo}. Encerre-o antes, ou escolha outra pasta em DATA_DIR.`
}

function lockAddress(dataDir: string): string {
  const name = `balcao-${folderHash(dataDir)}`
  if (process.platform === 'linux') return `\0${name}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.lock`)
}

type LockOwner = { readonly vivo: false } | { readonly vivo: true; readonly pid: string | null }

/** Asks the listener for its pid. A stopped or busy owner does not answer in time but still counts as alive. */
function askLockOwner(address: string): Promise<LockOwner> {
  return new Promise((resolve) => {
    let reply = ''
    const cliente = connect(address)
    cliente.setTimeout(ASK_MS, () => cliente.destroy())
    cliente.on('data', (part) => (reply += part.toString()))
    cliente.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve({ vivo: false })
    })
    cliente.on('close', () => resolve({ vivo: true, pid: reply === '' ? null : reply }))
  })
}

const TAKEN = 1

export interface FileLock {
  readonly descriptor: number
  /** Processes that inherited the descriptor keep the lock. */
  readonly close: () => void
}

/**
 * Locks a file without waiting. Unlike an abstract socket or a pid, the lock holds across containers that share the
 * folder. Returns `unavailable` on a system without the program `flock`, or on a file system without locks.
 */
export function lockFile(path: string): FileLock | 'taken' | 'unavailable' {
  if (process.platform !== 'linux') return 'unavailable'
  const descriptor = openSync(path, 'a', 0o600)
  // `flock` locks the open file, which it shares with this process, so the lock outlives the program.
  const { status } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'ignore', descriptor] })
  if (status === 0) return { descriptor, close: () => closeSync(descriptor) }
  closeSync(descriptor)
  return status === TAKEN ? 'taken' : 'unavailable'
}
