import { randomBytes } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Files } from '#ports/files.ts'
import { conferirConta, conferirNome, NOME, PASTA } from './nomes.ts'

const INACABADO = /^\.[0-9a-f]+\.tmp$/

export interface DiskFilesOptions {
  /** Created at the first write. Nodes that share work share this folder too. */
  readonly dir: string
  /** Crash-test hook, called before the first byte and after the file is in place. */
  readonly passo?: (instante: 'antes' | 'depois') => void
}

/**
 * Stores files in one folder per account, readable only by the server's user. Throws on an invalid account id or
 * file name.
 */
export function createDiskFiles({ dir, passo = () => {} }: DiskFilesOptions): Files {
  const pastaDe = (contaId: string): string => {
    conferirConta(contaId)
    return join(dir, contaId)
  }
  const caminhoDe = (contaId: string, nome: string): string => {
    conferirNome(nome)
    return join(pastaDe(contaId), nome)
  }
  return {
    write: async (contaId, nome, bytes) => {
      const destino = caminhoDe(contaId, nome)
      const pasta = pastaDe(contaId)
      passo('antes')
      const nova = await mkdir(pasta, { recursive: true, mode: 0o700 })
      if (nova !== undefined) await syncFolder(dir)
      const inacabado = join(pasta, `.${randomBytes(8).toString('hex')}.tmp`)
      try {
        await writeThrough(inacabado, bytes)
        await rename(inacabado, destino)
      } catch (error) {
        await rm(inacabado, { force: true })
        throw error
      }
      await syncFolder(pasta)
      passo('depois')
    },
    stream: async (contaId, nome, faixa) => {
      const arquivo = await orNull(open(caminhoDe(contaId, nome), 'r'))
      if (arquivo === null) return null
      return arquivo.createReadStream(faixa === undefined ? {} : { start: faixa.inicio, end: faixa.fim })
    },
    read: async (contaId, nome) => orNull(readFile(caminhoDe(contaId, nome))),
    remove: async (contaId, nome) => rm(caminhoDe(contaId, nome), { force: true }),
    async *list(contaId) {
      const contas = contaId === undefined ? await namesIn(dir, PASTA) : [contaId]
      for (const conta of contas) {
        for (const nome of await namesIn(pastaDe(conta), NOME)) yield { contaId: conta, nome }
      }
    },
    discardUnfinished: async (antesDe) => {
      for (const conta of await namesIn(dir, PASTA)) {
        for (const nome of await namesIn(join(dir, conta), INACABADO)) {
          const caminho = join(dir, conta, nome)
          const visto = await orNull(stat(caminho))
          if (visto !== null && visto.mtime < antesDe) await rm(caminho, { force: true })
        }
      }
    },
  }
}

async function writeThrough(caminho: string, bytes: Uint8Array): Promise<void> {
  const arquivo = await open(caminho, 'wx', 0o600)
  try {
    await arquivo.writeFile(bytes)
    await arquivo.sync()
  } finally {
    await arquivo.close()
  }
}

/** A rename survives a power cut only after its folder is synced. Windows has no folder sync. */
async function syncFolder(pasta: string): Promise<void> {
  if (process.platform === 'win32') return
  const aberta = await open(pasta, 'r')
  try {
    await aberta.sync()
  } finally {
    await aberta.close()
  }
}

async function namesIn(pasta: string, forma: RegExp): Promise<string[]> {
  const dentro: Dirent[] = (await orNull(readdir(pasta, { withFileTypes: true }))) ?? []
  return dentro.map(({ name }) => name).filter((nome) => forma.test(nome))
}

async function orNull<T>(fazendo: Promise<T>): Promise<T | null> {
  try {
    return await fazendo
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
