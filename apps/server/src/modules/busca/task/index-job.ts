import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { FIRST_ID } from '#modules/busca/progress.ts'
import { CHECK_DAYS, readNewer, readOlder } from './read-words.ts'

const INTERVAL_MS = 30_000
/** The start is not slowed down. */
const FIRST_RUN_MS = 20_000
/** Rest after a batch of old messages, in times of its work. A busy shop does not notice the task. */
const REST = 2
/** Older messages are read in later rounds. */
const ROUND_MS = 20_000

export type SearchIndexDeps = Pick<Deps, 'db' | 'clock' | 'leader' | 'log' | 'sleep'>

export interface SearchIndexJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Reads the words of new messages every 30 s on one node, and those of older messages at the first start. */
export function searchIndexJob(deps: SearchIndexDeps): SearchIndexJob {
  let task: PeriodicTask | null = null
  let stopping = false
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'search index not updated, retrying')
  return {
    start: () => {
      task ??= deps.leader.every({
        ...{ name: 'busca', ms: INTERVAL_MS, firstMs: FIRST_RUN_MS, failed },
        task: () => indexRound(deps, () => stopping),
      })
    },
    stop: async () => {
      stopping = true
      await task?.stop()
    },
  }
}

type RoundDeps = Pick<SearchIndexDeps, 'db' | 'clock' | 'sleep'>

/** Reads the new messages of all contas, then older ones for at most 20 s. Returns true if older ones are left. */
export async function indexRound({ db, clock, sleep }: RoundDeps, stopped: () => boolean): Promise<boolean> {
  const due = await db.read('*', (tx) => listDueContas(tx, clock.now()))
  for (const { id } of due) {
    let last: string | null = null
    do last = stopped() ? null : await db.transaction(id, (tx) => readNewer(tx, id, last))
    while (last !== null)
  }
  const end = performance.now() + ROUND_MS
  let open = due.map(({ id }) => id)
  while (open.length > 0) {
    const unfinished: string[] = []
    for (const contaId of open) {
      if (stopped() || performance.now() > end) return true
      const begun = performance.now()
      const more = await db.transaction(contaId, (tx) => readOlder(tx, contaId, clock.now()))
      if (more) unfinished.push(contaId)
      if (more) await sleep(REST * (performance.now() - begun))
    }
    open = unfinished
  }
  return false
}

const dueSchema = z.object({ id: z.string() })

/** Contas with newer messages than the task read, with older ones, or without a check in the last seven days. */
function listDueContas(tx: Tx, now: Date): Promise<{ readonly id: string }[]> {
  return tx.rows(
    dueSchema,
    `select c.id from contas c left join busca_contas b on b.conta_id = c.id
     where c.excluida_em is null and (b.desde is not null or b.rodada = 0
       or b.completa_em < $1::timestamptz - interval '${CHECK_DAYS} days'
       or exists (select from mensagens m where m.conta_id = c.id
         and m.id > coalesce(b.ate, '${FIRST_ID}')))`,
    [now],
  )
}
