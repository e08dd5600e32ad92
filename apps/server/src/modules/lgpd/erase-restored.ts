import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows } from '#db/statement/statement.ts'
import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { type EraseDeps, eraseContato } from './erase-titular.ts'
import {
  type ErasureMark,
  erasureMarkContext,
  findLackingMarks,
  type MarksPlace,
  recordLackingMarks,
} from '#modules/apagados/index.ts'

const BATCH_SIZE = 5_000

const listAddresses = manyRows(
  'lgpd: list addresses',
  z.object({ endereco: z.string(), contatoId: z.string(), criadoEm: z.date() }),
  sql`select endereco, contato_id, criado_em from enderecos
      where conta_id = ${contaId} and endereco > ${value('after', 'text')} and criado_em <= ${value('until', 'timestamptz')}
      order by endereco limit ${rawSql(String(BATCH_SIZE))}`,
)

const INTERVAL_MS = 3_600_000

export interface RestoredJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Repeats the erasures whose marks only the storage of all nodes holds, on one node. */
export function restoredJob(deps: EraseDeps & Pick<Deps, 'leader'>): RestoredJob {
  let task: PeriodicTask | null = null
  return {
    start: () => {
      if (!deps.files.shared) return
      const failed = (error: unknown): void => deps.log.error({ err: error }, 'marks of erased contatos not compared')
      const compare = (): Promise<unknown> => eraseRestoredTitulares(deps, 'shared')
      task ??= deps.leader.every({ name: 'apagados', ms: INTERVAL_MS, firstMs: 0, task: compare, failed })
    },
    stop: async () => task?.stop(),
  }
}

/**
 * Erases customers again that a restored backup brought back: those with a mark that the database lacks. A contato
 * whose erased address was stored after the erasure is a new customer and stays. Returns how many were erased.
 */
export async function eraseRestoredTitulares(deps: EraseDeps, place: MarksPlace): Promise<number> {
  let count = 0
  const lacking = await findLackingMarks(deps, place)
  for (const [contaId, marks] of Map.groupBy(lacking, ({ contaId: conta }) => conta)) {
    for (const contatoId of await listRestored(deps, contaId, marks)) {
      await eraseContato(deps, contatoId, { contaId, requester: null })
      count += 1
    }
    await deps.db.transaction(contaId, (tx) => recordLackingMarks(tx, { i: marks }))
  }
  if (count > 0) deps.log.warn({ clientes: count }, 'contatos of restored backup erased again')
  return count
}

async function listRestored(
  { db, vault }: Pick<EraseDeps, 'db' | 'vault'>,
  contaId: string,
  marks: readonly ErasureMark[],
): Promise<Set<string>> {
  const quando = new Map(marks.map(({ mark, erasedAt }) => [mark, erasedAt]))
  const until = new Date(Math.max(...marks.map(({ erasedAt }) => erasedAt.getTime())))
  const found = new Set<string>()
  let after = ''
  for (;;) {
    const page = await db.read(contaId, (tx) => listAddresses(tx, { contaId, until, after }))
    for (const { endereco, contatoId, criadoEm } of page) {
      const marcas = vault.fingerprints(endereco, erasureMarkContext(contaId))
      if (marcas.some((mark) => criadoEm <= (quando.get(mark) ?? new Date(0)))) found.add(contatoId)
    }
    const end = page.at(-1)
    if (end === undefined || page.length < BATCH_SIZE) return found
    after = end.endereco
  }
}
