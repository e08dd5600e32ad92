import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'

/**
 * Mark of an erased address: an HMAC that cannot be turned back into a number. Marks are stored in the database and
 * in a file of the data folder, because a restored backup lacks the later ones.
 */
export interface ErasureMark {
  readonly contaId: string
  readonly mark: string
  readonly erasedAt: Date
}

const MARKS_FILE = 'apagados'
const MARK_LINE = /^([0-9a-f-]{36}) (\S+) (\d{4}-\S+Z)$/

export function erasureMarkContext(contaId: string): string {
  return `apagados|marca|${contaId}`
}

const markRowSchema = z.object({ conta_id: z.string(), marca: z.string(), apagado_em: z.date() })

/**
 * Call it as the last step before the commit. A mark in the file whose transaction rolls back would erase the
 * contato at the next start.
 */
export async function insertErasureMarks(
  tx: Tx,
  { vault, settings }: Pick<Deps, 'vault' | 'settings'>,
  contaId: string,
  addresses: readonly string[],
): Promise<void> {
  const marks = addresses.map((address) => vault.fingerprint(address, erasureMarkContext(contaId)))
  const stored = await tx.rows(
    markRowSchema,
    `insert into apagados (conta_id, marca, apagado_em) select $1, m, clock_timestamp() from unnest($2::text[]) as m
     on conflict (conta_id, marca) do update set apagado_em = excluded.apagado_em
     returning conta_id, marca, apagado_em`,
    [contaId, marks],
  )
  await appendMarks(settings.dataDir, stored.map(toErasureMark))
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

/** Merges the marks of the file and the database, writes the missing ones to both and returns all. */
export async function mergeErasureMarks({ db, settings }: Pick<Deps, 'db' | 'settings'>): Promise<ErasureMark[]> {
  const onDisk = await readMarksFile(settings.dataDir)
  const all = await db.transaction('*', async (tx) => {
    // Marks of deleted contas are skipped.
    await tx.query(
      `insert into apagados (conta_id, marca, apagado_em)
       select i.conta_id, i.marca, max(i.apagado_em) from unnest($1::uuid[], $2::text[], $3::timestamptz[])
         as i (conta_id, marca, apagado_em)
       where exists (select 1 from contas c where c.id = i.conta_id) group by 1, 2
       on conflict (conta_id, marca) do update set apagado_em = greatest(apagados.apagado_em, excluded.apagado_em)`,
      [
        onDisk.map(({ contaId }) => contaId),
        onDisk.map(({ mark }) => mark),
        onDisk.map(({ erasedAt }) => erasedAt.toISOString()),
      ],
    )
    return (await tx.rows(markRowSchema, 'select conta_id, marca, apagado_em from apagados')).map(toErasureMark)
  })
  const noted = new Set(onDisk.map(({ contaId, mark }) => `${contaId} ${mark}`))
  await appendMarks(
    settings.dataDir,
    all.filter(({ contaId, mark }) => !noted.has(`${contaId} ${mark}`)),
  )
  return all
}
