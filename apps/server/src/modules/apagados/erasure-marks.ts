import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

/**
 * Mark of an erased address: an HMAC that cannot be turned back into a number. Marks are stored in the database and
 * outside, because a restored backup lacks the later ones: as notes of the storage that all nodes use, otherwise in a
 * file of the data folder.
 */
export interface ErasureMark {
  readonly contaId: string
  readonly mark: string
  readonly erasedAt: Date
}

const NOTES_FOLDER = 'apagados'
const NOTE = /^([0-9a-f-]{36})_(k\d+)_([\w-]{43})_(\d{13})$/
const MARKS_FILE = 'apagados'
const MARK_LINE = /^([0-9a-f-]{36}) (\S+) (\d{4}-\S+Z)$/

type StorageDeps = Pick<Deps, 'files' | 'settings'>

export function erasureMarkContext(contaId: string): string {
  return `apagados|marca|${contaId}`
}

const markRowSchema = z.object({ conta_id: z.string(), marca: z.string(), apagado_em: z.date() })

/**
 * Call it as the last step before the commit. A stored mark whose transaction rolls back would erase the
 * contato at the next start.
 */
export async function insertErasureMarks(
  tx: Tx,
  deps: StorageDeps & Pick<Deps, 'vault'>,
  contaId: string,
  addresses: readonly string[],
): Promise<void> {
  const marks = addresses.map((address) => deps.vault.fingerprint(address, erasureMarkContext(contaId)))
  const stored = await tx.rows(
    markRowSchema,
    `insert into apagados (conta_id, marca, apagado_em) select $1, m, clock_timestamp() from unnest($2::text[]) as m
     on conflict (conta_id, marca) do update set apagado_em = excluded.apagado_em
     returning conta_id, marca, apagado_em`,
    [contaId, marks],
  )
  await storeOutside(deps, stored.map(toErasureMark))
}

function toErasureMark({ conta_id, marca, apagado_em }: z.output<typeof markRowSchema>): ErasureMark {
  return { contaId: conta_id, mark: marca, erasedAt: apagado_em }
}

/**
 * Appends lines and syncs them to disk. A full disk can cut off the last line of an earlier call, so each call begins
 * a new line.
 */
async function appendMarks(dataDir: string, marks: readonly ErasureMark[]): Promise<void> {
  if (marks.length === 0) return
  const lines = marks.map(({ contaId, mark, erasedAt }) => `${contaId} ${mark} ${erasedAt.toISOString()}\n`)
  const arquivo = await open(join(dataDir, MARKS_FILE), 'a', 0o600)
  try {
    // Unlike `write`, stores everything or throws.
    await arquivo.appendFile(`\n${lines.join('')}`)
    await arquivo.sync()
  } finally {
    await arquivo.close()
  }
}

async function readMarksFile(dataDir: string): Promise<ErasureMark[]> {
  let text = ''
  try {
    text = await readFile(join(dataDir, MARKS_FILE), 'utf8')
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
  return text.split('\n').flatMap((line) => {
    const [, contaId, mark, erasedAt] = MARK_LINE.exec(line) ?? []
    if (contaId === undefined || mark === undefined || erasedAt === undefined) return []
    return [{ contaId, mark, erasedAt: new Date(erasedAt) }]
  })
}

/** Each mark is an empty note whose name contains the mark, because objects of a bucket cannot grow. */
function noteOf({ contaId, mark, erasedAt }: ErasureMark): string {
  return `${contaId}_${mark.replace(':', '_')}_${erasedAt.getTime()}`
}

async function storeOutside({ files, settings }: StorageDeps, marks: readonly ErasureMark[]): Promise<void> {
  if (!files.shared) return appendMarks(settings.dataDir, marks)
  for (const mark of marks) await files.notes.write(`${NOTES_FOLDER}/${noteOf(mark)}`, '')
}

async function readNotes({ files }: Pick<Deps, 'files'>): Promise<ErasureMark[]> {
  const marks: ErasureMark[] = []
  for await (const name of files.notes.list(NOTES_FOLDER)) {
    const [, contaId, key, hmac, ms] = NOTE.exec(name) ?? []
    if (contaId !== undefined) marks.push({ contaId, mark: `${key}:${hmac}`, erasedAt: new Date(Number(ms)) })
  }
  return marks
}

/** `file`: of this data folder. `shared`: of the storage of all nodes. */
export type MarksPlace = 'file' | 'shared'

/**
 * Returns the marks outside the database that its table lacks or holds with an earlier time, except those of deleted
 * contas. Stores the marks of the table that are missing outside.
 */
export async function findLackingMarks(
  deps: StorageDeps & Pick<Deps, 'db'>,
  place: MarksPlace,
): Promise<ErasureMark[]> {
  const { db, settings, files } = deps
  const outside = place === 'file' ? await readMarksFile(settings.dataDir) : await readNotes(deps)
  const { stored, contas } = await db.read('*', async (tx) => ({
    stored: (await tx.rows(markRowSchema, 'select conta_id, marca, apagado_em from apagados')).map(toErasureMark),
    contas: await tx.rows(z.object({ id: z.string() }), 'select id from contas where id = any ($1::uuid[])', [
      [...new Set(outside.map(({ contaId }) => contaId))],
    ]),
  }))
  // A data folder may be from before the storage was shared.
  const copied = files.shared === (place === 'shared')
  if (copied) await storeOutside(deps, newerThan(stored, outside))
  const existing = new Set(contas.map(({ id }) => id))
  return newerThan(outside, stored).filter(({ contaId }) => existing.has(contaId))
}

const keyOf = ({ contaId, mark }: ErasureMark): string => `${contaId} ${mark}`

/** The marks of `marks` that `others` lacks or holds with an earlier time. */
function newerThan(marks: readonly ErasureMark[], others: readonly ErasureMark[]): ErasureMark[] {
  const times = new Map<string, number>()
  for (const other of others) {
    times.set(keyOf(other), Math.max(times.get(keyOf(other)) ?? 0, other.erasedAt.getTime()))
  }
  return marks.filter((mark) => mark.erasedAt.getTime() > (times.get(keyOf(mark)) ?? 0))
}

/** Records marks of an erasure that was repeated. Call it after the erasure, so that an interrupted one runs again. */
export async function recordLackingMarks(tx: Tx, marks: readonly ErasureMark[]): Promise<void> {
  await tx.query(
    `insert into apagados (conta_id, marca, apagado_em)
     select i.conta_id, i.marca, max(i.apagado_em) from unnest($1::uuid[], $2::text[], $3::timestamptz[])
       as i (conta_id, marca, apagado_em)
     group by 1, 2
     on conflict (conta_id, marca) do update set apagado_em = greatest(apagados.apagado_em, excluded.apagado_em)`,
    [
      marks.map(({ contaId }) => contaId),
      marks.map(({ mark }) => mark),
      marks.map(({ erasedAt }) => erasedAt.toISOString()),
    ],
  )
}
