import { createHash } from 'node:crypto'
import { type Dirent, existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { syncRenames, writeWhole } from '#lib/durable-files.ts'
import { FILE_NAME, FOLDER_NAME } from '#lib/file-names.ts'
import type { Files, StoredFile } from '#ports/files.ts'
import { createKeyFinder, decrypt, deriveFileKey, encrypt, type FileKey, newSalt } from './cipher.ts'

/*
 * Files of the copies: `arquivos/<set>/<conta>/<nome>`. A set holds the files of one passphrase, so a new passphrase
 * copies all files again. Names are never reused, so a file that exists is complete.
 */

const SALT_FILE = 'sal'
const PLAIN_SET = 'aberto'

export interface FileList {
  readonly set: string
  readonly files: readonly StoredFile[]
}

export function encodeFileList({ set, files }: FileList): string {
  return `${[set, ...files.map(({ contaId, nome }) => `${contaId}/${nome}`)].join('\n')}\n`
}

export function parseFileList(text: string): FileList {
  const [set = '', ...lines] = text.split('\n')
  const files = lines.flatMap((line): StoredFile[] => {
    const [contaId = '', nome = ''] = line.split('/')
    return FOLDER_NAME.test(contaId) && FILE_NAME.test(nome) ? [{ contaId, nome }] : []
  })
  return { set, files }
}

async function loadSalt(dir: string): Promise<Buffer> {
  const path = join(dir, SALT_FILE)
  if (!existsSync(path)) {
    await writeWhole(path, newSalt())
    await syncRenames(dir)
  }
  return readFile(path)
}

interface FileSet {
  readonly name: string
  readonly key: FileKey | null
}

async function openSet(dir: string, passphrase: string | null): Promise<FileSet> {
  if (passphrase === null) return { name: PLAIN_SET, key: null }
  const key = deriveFileKey(passphrase, await loadSalt(dir))
  // The set is named by a hash, which does not reveal the key.
  return { name: createHash('sha256').update('set').update(key.key).digest('hex').slice(0, 16), key }
}

export async function copyFiles(
  wanted: readonly StoredFile[],
  { from, dir, passphrase }: { readonly from: Files; readonly dir: string; readonly passphrase: string | null },
) {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const set = await openSet(dir, passphrase)
  const copied: StoredFile[] = []
  for (const [contaId, ofConta] of Map.groupBy(wanted, (file) => file.contaId)) {
    const folder = join(dir, set.name, contaId)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const present = new Set(await readdir(folder))
    for (const file of ofConta) {
      if (present.has(file.nome) || (await copyOne(from, file, { folder, key: set.key }))) copied.push(file)
    }
    await syncRenames(folder)
  }
  await syncRenames(dir)
  return { set: set.name, files: copied, missing: wanted.length - copied.length }
}

async function copyOne(
  from: Files,
  { contaId, nome }: StoredFile,
  { folder, key }: { readonly folder: string; readonly key: FileKey | null },
): Promise<boolean> {
  const bytes = await from.read(contaId, nome)
  if (bytes === null) return false
  await writeWhole(join(folder, nome), key === null ? bytes : await collect(encrypt(single(bytes), key)))
  return true
}

/** Writes the listed files into the storage of the installation. Throws if a file is damaged or the key is wrong. */
export async function restoreFiles(
  { set, files }: FileList,
  { dir, to, passphrase }: { readonly dir: string; readonly to: Files; readonly passphrase: string | null },
) {
  const findKey = createKeyFinder(passphrase)
  let missing = 0
  for (const { contaId, nome } of files) {
    const path = join(dir, set, contaId, nome)
    if (!existsSync(path)) {
      missing += 1
      continue
    }
    await to.write(contaId, nome, await collect(decrypt(single(await readFile(path)), findKey)))
  }
  return { restored: files.length - missing, missing }
}

export async function pruneFiles(dir: string, lists: readonly FileList[]): Promise<number> {
  const kept = new Set(lists.flatMap(({ set, files }) => files.map(({ contaId, nome }) => join(set, contaId, nome))))
  let deleted = 0
  for (const set of await foldersIn(dir)) {
    for (const contaId of await foldersIn(join(dir, set))) {
      const folder = join(dir, set, contaId)
      const names = await readdir(folder)
      const loose = names.filter((nome) => !kept.has(join(set, contaId, nome)))
      for (const nome of loose) await rm(join(folder, nome), { force: true })
      if (loose.length === names.length) await rmdir(folder)
      deleted += loose.length
    }
    if ((await readdir(join(dir, set))).length === 0) await rmdir(join(dir, set))
  }
  return deleted
}

async function foldersIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return []
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
}

async function* single(bytes: Uint8Array): AsyncGenerator<Buffer> {
  yield Buffer.from(bytes)
}

async function collect(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of chunks) parts.push(part)
  return Buffer.concat(parts)
}
