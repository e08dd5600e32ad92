import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import { rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Database } from '#db/transaction.ts'

const KEPT_DAYS = 7
const CACHE_BYTES = 16 * 2 ** 20
/** Age of the list of known names. Longer would hide the files of a build that another node has just stored. */
const NAMES_MS = 2_000
const VARIANTS = { br: '.br', gzip: '.gz' } as const

type Encoding = keyof typeof VARIANTS

export interface KeptAsset {
  readonly bytes: Buffer
  readonly encoded: Partial<Readonly<Record<Encoding, Buffer>>>
}

/** The `assets/` of all builds that a process served in the last 7 days. */
export interface KeptAssets {
  readonly store: () => Promise<void>
  /** Returns a file by its name below `/assets/`. Null: no stored build has it. Unknown names cost no statement. */
  readonly find: (name: string) => Promise<KeptAsset | null>
  /** Marks the build of this process as used and deletes builds unused for 7 days. Returns how many it deleted. */
  readonly sweep: () => Promise<number>
}

export function createKeptAssets(db: Database, dist: string | undefined): KeptAssets {
  // The cache holds only the list of names. The library joins equal reads, so a flood of unknown names reads the list
  // once in 2 s.
  const lists = new LRUCache<'names', ReadonlyMap<string, string>>({
    max: 1,
    ttl: NAMES_MS,
    fetchMethod: () => readNames(db),
  })
  const files = new LRUCache<string, KeptAsset>({
    maxSize: CACHE_BYTES,
    sizeCalculation: sizeOf,
    fetchMethod: async (name) => {
      const version = (await lists.fetch('names'))?.get(name)
      return version === undefined ? undefined : readAsset(db, name, version)
    },
  })
  const store = async (): Promise<void> => (dist === undefined ? undefined : storeBuild(db, join(dist, 'assets')))
  return {
    store,
    find: async (name) => (await files.fetch(name)) ?? null,
    sweep: async () => {
      await store()
      return db.transaction([], (tx) => deleteUnused(tx, {}))
    },
  }
}

function sizeOf({ bytes, encoded }: KeptAsset): number {
  return 1 + bytes.length + (encoded.br?.length ?? 0) + (encoded.gzip?.length ?? 0)
}

async function storeBuild(db: Database, folder: string): Promise<void> {
  const names = (await readdir(folder)).toSorted()
  if (names.length === 0) return
  // The names contain hashes of the contents, so equal names are equal builds.
  const version = createHash('sha256').update(names.join()).digest('hex').slice(0, 16)
  if ((await db.transaction([], (tx) => markUsed(tx, { version }))) > 0) return
  const files = await Promise.all(names.map(async (nome) => ({ nome, bytes: await readFile(join(folder, nome)) })))
  await db.transaction([], async (tx) => {
    // A node that stores the same build waits here and then finds the row.
    if ((await insertBuild(tx, { version })) === 0) return
    for (const file of files) await insertFile(tx, { version, ...file })
  })
}

const version = value('version', 'text')

const markUsed = noRows(
  'painel: mark build as used',
  sql`update painel_versoes set vista_em = now() where versao = ${version}`,
)

const insertBuild = noRows(
  'painel: insert build',
  sql`insert into painel_versoes (versao) values (${version}) on conflict do nothing`,
)

const insertFile = noRows(
  'painel: insert file',
  sql`insert into painel_arquivos (versao, nome, bytes)
    values (${version}, ${value('nome', 'text')}, ${value('bytes', 'bytea')})`,
)

const deleteUnused = noRows(
  'painel: delete unused builds',
  sql`delete from painel_versoes where vista_em < now() - make_interval(days => ${rawSql(String(KEPT_DAYS))})`,
)

const listNames = manyRows(
  'painel: list names',
  z.object({ nome: z.string(), versao: z.string() }),
  sql`select nome, versao from painel_arquivos`,
)

const listFiles = manyRows(
  'painel: list files',
  z.object({ nome: z.string(), bytes: z.instanceof(Buffer) }),
  sql`select nome, bytes from painel_arquivos where versao = ${version} and nome = any (${value('names', 'text[]')})`,
)

async function readNames(db: Database): Promise<ReadonlyMap<string, string>> {
  const rows = await db.read([], (tx) => listNames(tx, {}))
  return new Map(rows.map(({ nome, versao }) => [nome, versao]))
}

async function readAsset(db: Database, name: string, version: string): Promise<KeptAsset | undefined> {
  const names = [name, name + VARIANTS.br, name + VARIANTS.gzip]
  const rows = await db.read([], (tx) => listFiles(tx, { version, names }))
  const [bytes, br, gzip] = names.map((nome) => rows.find((row) => row.nome === nome)?.bytes)
  if (bytes === undefined) return undefined
  return { bytes, encoded: { ...(br === undefined ? {} : { br }), ...(gzip === undefined ? {} : { gzip }) } }
}
