import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { columns, contaId, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { findKnownContatos } from '#modules/enderecos/index.ts'

const markSchema = z.object({ contaId: z.string(), mark: z.string(), erasedAt: z.date() })
/**
 * Mark of an erased address: an HMAC that cannot be turned back into a number. Marks are stored in the database and
 * outside, because a restored backup lacks the later ones: as notes of the storage that all nodes use, otherwise in a
 * file of the data folder.
 */
export type ErasureMark = z.output<typeof markSchema>

const MARK = sql`conta_id, marca as mark, apagado_em as erased_at`

const insertMarks = manyRows(
  'apagados: insert',
  markSchema,
  sql`insert into apagados (conta_id, marca, apagado_em)
      select ${contaId}, m, clock_timestamp() from unnest(${value('marks', 'text[]')}) as m
      on conflict (conta_id, marca) do update set apagado_em = excluded.apagado_em
      returning ${MARK}`,
)

const listMarks = manyRows('apagados: list', markSchema, sql`select ${MARK} from apagados`)

const findContas = manyRows(
  'apagados: find contas',
  z.object({ id: z.string() }),
  sql`select id from contas where id = any (${value('ids', 'uuid[]')})`,
)

/** Call it after the erasure, so that an interrupted one runs again. */
export const recordLackingMarks = noRows(
  'apagados: record lacking',
  sql`insert into apagados (conta_id, marca, apagado_em)
      select i.conta_id, i.mark, max(i.erased_at)
      from ${columns('i', { contaId: 'uuid', mark: 'text', erasedAt: 'timestamptz' })}
      group by 1, 2
      on conflict (conta_id, marca) do update set apagado_em = greatest(apagados.apagado_em, excluded.apagado_em)`,
)

const NOTES_FOLDER = 'apagados'
const NOTE = /^([0-9a-f-]{36})_(k\d+)_([\w-]{43})_(\d{13})$/
const MARKS_FILE = 'apagados'
const MARK_LINE = /^([0-9a-f-]{36}) (\S+) (\d{4}-\S+Z)$/

type StorageDeps = Pick<Deps, 'files' | 'settings'>

export function erasureMarkContext(contaId: string): string {
  return `apagados|marca|${contaId}`
}

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
  await storeOutside(deps, await insertMarks(tx, { contaId, marks }))
}

/** A full disk can cut off the last line of an earlier call, so each call begins a new line. */
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

/** Objects of a bucket cannot grow, so the mark is the name of an empty note. */
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

export type MarksPlace = 'file' | 'shared'

/** Leaves out marks of deleted contas. Stores the marks of the table that are missing outside. */
export async function findLackingMarks(
  deps: StorageDeps & Pick<Deps, 'db'>,
  place: MarksPlace,
): Promise<ErasureMark[]> {
  const { db, settings, files } = deps
  const outside = place === 'file' ? await readMarksFile(settings.dataDir) : await readNotes(deps)
  const { stored, contas } = await db.read('*', async (tx) => ({
    stored: await listMarks(tx, {}),
    contas: await findContas(tx, { ids: [...new Set(outside.map((mark) => mark.contaId))] }),
  }))
  // A data folder may be from before the storage was shared.
  const copied = files.shared === (place === 'shared')
  if (copied) await storeOutside(deps, newerThan(stored, outside))
  const existing = new Set(contas.map(({ id }) => id))
  return newerThan(outside, stored).filter(({ contaId }) => existing.has(contaId))
}

const keyOf = ({ contaId, mark }: ErasureMark): string => `${contaId} ${mark}`

function newerThan(marks: readonly ErasureMark[], others: readonly ErasureMark[]): ErasureMark[] {
  const times = new Map<string, number>()
  for (const other of others) {
    times.set(keyOf(other), Math.max(times.get(keyOf(other)) ?? 0, other.erasedAt.getTime()))
  }
  return marks.filter((mark) => mark.erasedAt.getTime() > (times.get(keyOf(mark)) ?? 0))
}

const findMarks = manyRows(
  'apagados: find marks',
  z.object({ marca: z.string() }),
  sql`select marca from apagados where conta_id = ${contaId} and marca = any (${value('marks', 'text[]')})`,
)

export async function findErasedPhones(
  tx: Tx,
  { vault }: Pick<Deps, 'vault'>,
  contaId: string,
  telefones: readonly string[],
): Promise<Set<string>> {
  if (telefones.length === 0) return new Set()
  const marksOf = (telefone: string): readonly string[] =>
    vault.fingerprints(`tel:${telefone}`, erasureMarkContext(contaId))
  const byMark = new Map(telefones.flatMap((one) => marksOf(one).map((mark) => [mark, one] as const)))
  const rows = await findMarks(tx, { contaId, marks: [...byMark.keys()] })
  return new Set(rows.flatMap(({ marca }) => byMark.get(marca) ?? []))
}

/** Throws `contatoApagado`, unless a contato has the phone now. */
export async function requireNotErased(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  contaId: string,
  telefone: string,
): Promise<void> {
  const erased = await findErasedPhones(tx, deps, contaId, [telefone])
  if (erased.size === 0) return
  if ((await findKnownContatos(tx, contaId, [telefone])).length === 0) throw new AppError('contatoApagado')
}
