import { createHash } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PERGUNTA_MS = 1_000
const TENTATIVAS = 3

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
  for (let tentativa = 1; tentativa <= TENTATIVAS; tentativa += 1) {
    const servidor = await listen(endereco)
    if (servidor !== null) return { release: () => new Promise((resolve) => servidor.close(() => resolve())) }
    const dono = await askOwner(endereco)
    if (dono.vivo) throw new Error(refusal(dataDir, dono.pid))
    // Its owner is gone this instant, or, where the socket is a file, long ago.
    if (process.platform !== 'linux' && process.platform !== 'win32') await rm(endereco, { force: true })
  }
  throw new Error(refusal(dataDir, null))
}

function listen(endereco: string): Promise<Server | null> {
  const servidor = createServer((cliente) => {
    cliente.on('error', () => undefined)
    cliente.end(String(process.pid))
  })
  // The lock alone keeps no process alive.
  servidor.unref()
  return new Promise((resolve, reject) => {
    servidor.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    )
    servidor.listen(endereco, () => resolve(servidor))
  })
}

function refusal(dataDir: string, dono: string | null): string {
  const processo = dono === null ? 'por outro processo' : `pelo processo ${dono}`
  return `A pasta de dados ${dataDir} já está em uso ${processo}. Encerre-o antes, ou escolha outra pasta em DATA_DIR.`
}

function lockAddress(dataDir: string): string {
  const nome = `balcao-${folderHash(dataDir)}`
  if (process.platform === 'linux') return `\0${nome}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${nome}` : join(tmpdir(), `${nome}.lock`)
}

type Owner = { readonly vivo: false } | { readonly vivo: true; readonly pid: string | null }

/** Who listens there. A stopped or very busy owner does not answer in time, and is an owner all the same. */
function askOwner(endereco: string): Promise<Owner> {
  return new Promise((resolve) => {
    let resposta = ''
    const cliente = connect(endereco)
    cliente.setTimeout(PERGUNTA_MS, () => cliente.destroy())
    cliente.on('data', (parte) => (resposta += parte.toString()))
    cliente.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') resolve({ vivo: false })
    })
    cliente.on('close', () => resolve({ vivo: true, pid: resposta === '' ? null : resposta }))
  })
}
