import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { spawn } from 'node:child_process'
import * as z from 'zod/mini'
import type { Pool, PoolClient } from 'pg'
import { syncRenames, writeWhole } from '#lib/durable-files.ts'
import type { Files, StoredFile } from '#ports/files.ts'
import { copyFiles, encodeFileList, type FileList, parseFileList, pruneFiles } from './copy-files.ts'
import { asOnlyExport, exportSnapshot } from './export.ts'
import type { HeaderTable } from './format.ts'

/*
 * A folder of copies: `balcao-<instant>.balcao` (the export), `balcao-<instant>.arquivos` (its list of files), the
 * files in `arquivos/`, and `apagados` (the marks of erased customers).
 */

const COPY_NAME = /^balcao-(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z\.balcao$/
const UNFINISHED = /^balcao-.+\.(novo|parcial)$|^\.[0-9a-f]+\.tmp$/
const FILE_LIST = /^balcao-.+\.arquivos$/
const FILES_DIR = 'arquivos'
const MARKS_FILE = 'apagados'
/** Copies contain customers' data, so they are deleted after 30 days (LGPD). */
const COPY_DAYS = 30
const DAY_MS = 24 * 3_600_000

export interface CopyPlan {
  readonly owner: Pool
  readonly files: Files
  readonly dir: string
  readonly keep: number
  readonly passphrase: string | null
  readonly dataDir: string
  readonly now: Date
}

/**
 * Makes a copy of database, files and erasure marks, then deletes the copies beyond `keep` with their files. The copy
 * gets its name only when complete. Throws if another export runs.
 */
export function makeCopy(plan: CopyPlan) {
  const { owner, files, dir, keep, passphrase, dataDir, now } = plan
  return asOnlyExport(owner, async (client) => {
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await sweepUnfinished(dir)
    const name = `balcao-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`
    const unfinished = join(dir, `${name}.balcao.novo`)
    const { tabelas, read } = await exportSnapshot(client, { file: unfinished, passphrase }, listFiles)
    const copied = await copyFiles(read, { from: files, dir: join(dir, FILES_DIR), passphrase })
    await writeWhole(join(dir, `${name}.arquivos`), encodeFileList(copied))
    const marks = join(dataDir, MARKS_FILE)
    if (existsSync(marks)) await writeWhole(join(dir, MARKS_FILE), await readFile(marks))
    const file = join(dir, `${name}.balcao`)
    await rename(unfinished, file)
    await syncRenames(dir)
    await recordBackup(client, file, { tabelas, cifrada: passphrase !== null })
    await pruneCopies(dir, { keep })
    return { file, tabelas, files: copied.files.length, missing: copied.missing }
  })
}

export interface Copy {
  readonly name: string
  readonly madeAt: Date
}

export async function listCopies(dir: string): Promise<Copy[]> {
  const names = existsSync(dir) ? await readdir(dir) : []
  return names
    .flatMap((name) => {
      const [, day, hour, minute, second] = COPY_NAME.exec(name) ?? []
      return day === undefined ? [] : [{ name, madeAt: new Date(`${day}T${hour}:${minute}:${second}Z`) }]
    })
    .toSorted((a, b) => b.madeAt.getTime() - a.madeAt.getTime())
}

const oldestKept = (now: Date): Date => new Date(now.getTime() - COPY_DAYS * DAY_MS)

export function hasExpiredCopy(copies: readonly Copy[], now: Date): boolean {
  return copies.some(({ madeAt }) => madeAt < oldestKept(now))
}

/** Deletes copies beyond `keep`, with `now` also copies older than 30 days, and the files that no remaining copy lists. */
export async function pruneCopies(
  dir: string,
  { keep, now }: { readonly keep: number; readonly now?: Date },
): Promise<void> {
  const oldest = now === undefined ? null : oldestKept(now)
  const lists: FileList[] = []
  let complete = true
  for (const [position, { name, madeAt }] of (await listCopies(dir)).entries()) {
    const list = fileListOf(join(dir, name))
    if (position >= keep || (oldest !== null && madeAt < oldest)) {
      await rm(join(dir, name), { force: true })
      await rm(list, { force: true })
    } else if (existsSync(list)) lists.push(parseFileList(await readFile(list, 'utf8')))
    else complete = false
  }
  // A copy without its list may need any file.
  if (complete) await pruneFiles(join(dir, FILES_DIR), lists)
}

const fileListOf = (copy: string): string => copy.replace(/\.balcao$/, '.arquivos')

export async function readCopyParts(copy: string, dir: string) {
  const list = fileListOf(copy)
  const marks = join(dir, MARKS_FILE)
  return {
    list: list !== copy && existsSync(list) ? parseFileList(await readFile(list, 'utf8')) : null,
    filesDir: join(dir, FILES_DIR),
    marks: existsSync(marks) ? marks : null,
  }
}

/** Deletes what a killed run left. Only one run at a time writes here. */
async function sweepUnfinished(dir: string): Promise<void> {
  const names = await readdir(dir)
  for (const name of names) {
    const loose = FILE_LIST.test(name) && !names.includes(name.replace(/\.arquivos$/, '.balcao'))
    if (loose || UNFINISHED.test(name)) await rm(join(dir, name), { force: true })
  }
}

const fileSchema = z.object({ conta_id: z.string(), nome: z.string(), tamanho_mini: z.nullable(z.number()) })

/** Lists the files of the snapshot. A small version lies beside its picture, with the ending `mini`. */
async function listFiles(client: PoolClient): Promise<StoredFile[]> {
  const { rows } = await client.query(
    `select conta_id, nome, tamanho_mini from arquivos where estado = 'pronto' order by conta_id, nome`,
  )
  return rows.flatMap((row) => {
    const { conta_id: contaId, nome, tamanho_mini: mini } = fileSchema.parse(row)
    const small = { contaId, nome: nome.replace(/[^.]+$/, 'mini') }
    return mini === null ? [{ contaId, nome }] : [{ contaId, nome }, small]
  })
}

/** Records a backup in `copias_seguranca`. Does nothing in an older database without this table. */
export async function recordBackup(
  owner: Pool | PoolClient,
  file: string,
  { tabelas, cifrada }: { readonly tabelas: readonly Pick<HeaderTable, 'linhas'>[]; readonly cifrada: boolean },
): Promise<void> {
  const { rows } = await owner.query<{ tem: boolean }>("select to_regclass('copias_seguranca') is not null as tem")
  if (rows[0]?.tem !== true) return
  const { size } = await stat(file)
  const lines = tabelas.reduce((sum, table) => sum + table.linhas, 0)
  await owner.query('insert into copias_seguranca (linhas, tabelas, bytes, cifrada) values ($1, $2, $3, $4)', [
    lines,
    tabelas.length,
    size,
    cifrada,
  ])
}

const CLI = join(import.meta.dirname, '..', '..', 'cli.ts')

/** Makes a copy in a child process, so that reading and encrypting do not delay requests. */
export function copyInProcess(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, 'copia'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      windowsHide: true,
      signal,
    })
    let said = ''
    child.stderr.on('data', (part: Buffer) => (said += part.toString()))
    child.on('error', reject)
    child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(said.trim() || `copy ended with ${code}`))))
  })
}
