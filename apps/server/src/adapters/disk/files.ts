import { randomBytes } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { FILE_NAME, FOLDER_NAME, requireContaId, requireFileName } from '#lib/file-names.ts'
import type { Files } from '#ports/files.ts'

const UNFINISHED = /^\.[0-9a-f]+\.tmp$/

export interface DiskFilesOptions {
  /** Created at the first write. Nodes that share work share this folder too. */
  readonly dir: string
  /** Crash-test hook, called before the first byte and after the file is in place. */
  readonly onWrite?: (instant: 'antes' | 'depois') => void
}

/**
 * Stores files in one folder per account, readable only by the server's user. Throws on an invalid account id or
 * file name.
 */
export function createDiskFiles({ dir, onWrite = () => {} }: DiskFilesOptions): Files {
  const pastaDe = (contaId: string): string => {
    requireContaId(contaId)
    return join(dir, contaId)
  }
  const caminhoDe = (contaId: string, nome: string): string => {
    requireFileName(nome)
    return join(pastaDe(contaId), nome)
  }
  return {
    write: async (contaId, nome, bytes) => {
      const destination = caminhoDe(contaId, nome)
      const pasta = pastaDe(contaId)
      onWrite('antes')
      const fresh = await mkdir(pasta, { recursive: true, mode: 0o700 })
      if (fresh !== undefined) await syncFolder(dir)
      const inacabado = join(pasta, `.${randomBytes(8).toString('hex')}.tmp`)
      try {
        await writeThrough(inacabado, bytes)
        await rename(inacabado, destination)
      } catch (error) {
        await rm(inacabado, { force: true })
        throw error
      }
      await syncFolder(pasta)
      onWrite('depois')
    },
    stream: async (contaId, nome, range) => {
      const arquivo = await orNull(open(caminhoDe(contaId, nome), 'r'))
      if (arquivo === null) return null
      return arquivo.createReadStream(range === undefined ? {} : { start: range.start, end: range.end })
    },
    read: async (contaId, nome) => orNull(readFile(caminhoDe(contaId, nome))),
    remove: async (contaId, nome) => rm(caminhoDe(contaId, nome), { force: true }),
    async *list(contaId) {
      const contas = contaId === undefined ? await namesIn(dir, FOLDER_NAME) : [contaId]
      for (const conta of contas) {
        for (const nome of await namesIn(pastaDe(conta), FILE_NAME)) yield { contaId: conta, nome }
      }
    },
    discardUnfinished: async (antesDe) => {
      for (const conta of await namesIn(dir, FOLDER_NAME)) {
        for (const nome of await namesIn(join(dir, conta), UNFINISHED)) {
          const caminho = join(dir, conta, nome)
          const seen = await orNull(stat(caminho))
          if (seen !== null && seen.mtime < antesDe) await rm(caminho, { force: true })
        }
      }
    },
  }
}

async function writeThrough(path: string, bytes: Uint8Array): Promise<void> {
  const arquivo = await open(path, 'wx', 0o600)
  try {
    await arquivo.writeFile(bytes)
    await arquivo.sync()
  } finally {
    await arquivo.close()
  }
}

/** A rename survives a power cut only after its folder is synced. Windows has no folder sync. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const aberta = await open(folder, 'r')
  try {
    await aberta.sync()
  } finally {
    await aberta.close()
  }
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const dentro: Dirent[] = (await orNull(readdir(folder, { withFileTypes: true }))) ?? []
  return dentro.map(({ name }) => name).filter((nome) => pattern.test(nome))
}

async function orNull<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
