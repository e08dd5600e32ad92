import type { Dirent } from 'node:fs'
import { mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncRenames, writeWhole } from '#lib/durable-files.ts'
import { FILE_NAME, FOLDER_NAME, NOTE_NAME, requireContaId, requireFileName, requireNotePath } from '#lib/file-names.ts'
import type { Files, Notes } from '#ports/files.ts'

const UNFINISHED = /^\.[0-9a-f]+\.tmp$/

export interface DiskFilesOptions {
  /** Created at the first write. Nodes that share work share this folder too. */
  readonly dir: string
  readonly shared?: boolean
  readonly onWrite?: (instant: 'antes' | 'depois') => void
}

/**
 * Stores files in one folder per account, readable only by the server's user. Throws on an invalid account id or
 * file name.
 */
export function createDiskFiles({ dir, shared = false, onWrite = () => {} }: DiskFilesOptions): Files {
  const folderOf = (contaId: string): string => {
    requireContaId(contaId)
    return join(dir, contaId)
  }
  const pathOf = (contaId: string, nome: string): string => {
    requireFileName(nome)
    return join(folderOf(contaId), nome)
  }
  return {
    shared,
    notes: createDiskNotes(dir),
    write: async (contaId, nome, bytes) => {
      const destination = pathOf(contaId, nome)
      onWrite('antes')
      await writeDurably(dir, folderOf(contaId), { destination, content: bytes })
      onWrite('depois')
    },
    stream: async (contaId, nome, range) => {
      const file = await orNull(open(pathOf(contaId, nome), 'r'))
      if (file === null) return null
      return file.createReadStream(range === undefined ? {} : { start: range.start, end: range.end })
    },
    read: async (contaId, nome) => orNull(readFile(pathOf(contaId, nome))),
    remove: async (contaId, nome) => rm(pathOf(contaId, nome), { force: true }),
    async *list(contaId) {
      const contas = contaId === undefined ? await namesIn(dir, FOLDER_NAME) : [contaId]
      for (const conta of contas) {
        for (const nome of await namesIn(folderOf(conta), FILE_NAME)) yield { contaId: conta, nome }
      }
    },
    discardUnfinished: async (before) => {
      for (const conta of await namesIn(dir, FOLDER_NAME)) {
        for (const nome of await namesIn(join(dir, conta), UNFINISHED)) {
          const path = join(dir, conta, nome)
          const info = await orNull(stat(path))
          if (info !== null && info.mtime < before) await rm(path, { force: true })
        }
      }
    },
  }
}

function createDiskNotes(dir: string): Notes {
  const pathOf = (path: string): string => {
    requireNotePath(path)
    return join(dir, path)
  }
  return {
    write: async (path, text) => {
      const destination = pathOf(path)
      await writeDurably(dir, dirname(destination), { destination, content: text })
    },
    read: async (path) => orNull(readFile(pathOf(path), 'utf8')),
    async *list(folder) {
      yield* await namesIn(join(dir, folder), NOTE_NAME)
    },
    remove: async (path) => rm(pathOf(path), { force: true }),
  }
}

interface Writing {
  readonly destination: string
  readonly content: Uint8Array | string
}

async function writeDurably(dir: string, folder: string, { destination, content }: Writing): Promise<void> {
  const fresh = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (fresh !== undefined) await syncRenames(dir)
  await writeWhole(destination, content)
  await syncRenames(folder)
}

async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  const entries: Dirent[] = (await orNull(readdir(folder, { withFileTypes: true }))) ?? []
  return entries.map(({ name }) => name).filter((nome) => pattern.test(nome))
}

async function orNull<T>(operation: Promise<T>): Promise<T | null> {
  try {
    return await operation
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
