import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PERGUNTA_MS = 1_000

/** A hold on one data folder. It vanishes with the process, however that ends. */
export interface DirLock {
  readonly release: () => Promise<void>
}

/** A short name for a folder, the same through every link to it. */
export function folderHash(dataDir: string): string {
  return createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 16)
}

/**
 * Takes the folder for this process, or throws a sentence that names the process which has it.
 * The lock is a listening local socket: the kernel closes it with its owner, so it cannot go stale nor be fooled by a reused pid.
 */
export async function lockDataDir(dataDir: string): Promise<DirLock> {
  const endereco = lockAddress(dataDir)
  const servidor = createServer((cliente) => {
    cliente.on('error', () => undefined)
    cliente.end(String(process.pid))
  })
  const listen = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      servidor.once('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EADDRINUSE' ? resolve(false) : reject(error),
      )
      servidor.listen(endereco, () => resolve(true))
    })
  if (!(await listen())) {
    const dono = await askOwner(endereco)
    if (dono !== null || endereco.startsWith('\0')) throw new Error(refusal(dataDir, dono))
    // Only where the socket is a file: its owner is gone and left it behind.
    await rm(endereco, { force: true })
    if (!(await listen())) throw new Error(refusal(dataDir, null))
  }
  servidor.unref()
  return { release: () => new Promise((resolve) => servidor.close(() => resolve())) }
}

function refusal(dataDir: string, dono: string | null): string {
  const processo = dono === null ? 'outro processo' : `o processo ${dono}`
  return `A pasta de dados ${dataDir} já está em uso por ${processo}. Encerre-o antes, ou escolha outra pasta em DATA_DIR.`
}

function lockAddress(dataDir: string): string {
  const nome = `balcao-${folderHash(dataDir)}`
  if (process.platform === 'linux') return `\0${nome}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${nome}` : join(tmpdir(), `${nome}.lock`)
}

function askOwner(endereco: string): Promise<string | null> {
  return new Promise((resolve) => {
    let resposta = ''
    const cliente = connect(endereco)
    cliente.setTimeout(PERGUNTA_MS, () => cliente.destroy())
    cliente.on('data', (parte) => (resposta += parte.toString()))
    cliente.on('error', () => undefined)
    cliente.on('close', () => resolve(resposta === '' ? null : resposta))
  })
}
