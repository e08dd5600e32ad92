import { LRUCache } from 'lru-cache'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { FIRST_ID } from '#modules/busca/progress.ts'
import { CHECK_DAYS, type Reading, readNewer, readOlder } from './read-words.ts'

const INTERVAL_MS = 30_000
/** The start is not slowed down. */
const FIRST_RUN_MS = 20_000
/** Rest after a batch of old messages, in times of its work. A busy shop does not notice the task. */
const REST = 2
/** Time for new messages, and then for older ones. The others are read in later rounds. */
const ROUND_MS = 20_000
const CONTAS_MAX = 10_000
/** Rest of a conta whose texts cannot be read. It doubles with each failure. */
const FAILED_REST_MS = { first: INTERVAL_MS, longest: 3_600_000 }

export type SearchIndexDeps = Pick<Deps, 'db' | 'clock' | 'leader' | 'log' | 'sleep'>

export interface SearchIndexJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Reads the words of new messages every 30 s on one node, and those of older messages at the first start. */
export function searchIndexJob(deps: SearchIndexDeps): SearchIndexJob {
  let task: PeriodicTask | null = null
  let stopping = false
  const failures = new ContaFailures()
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'search index not updated, retrying')
  return {
    start: () => {
      task ??= deps.leader.every({
        ...{ name: 'busca', ms: INTERVAL_MS, firstMs: FIRST_RUN_MS, failed },
        task: () => indexRound(deps, () => stopping, failures),
      })
    },
    stop: async () => {
      stopping = true
      await task?.stop()
    },
  }
}

/** Contas whose texts could not be read. They rest, and the others go on. */
class ContaFailures {
  readonly #rests = new LRUCache<string, { readonly ms: number; readonly until: number }>({ max: CONTAS_MAX })

  isResting(contaId: string): boolean {
    return performance.now() < (this.#rests.get(contaId)?.until ?? 0)
  }

  failed(contaId: string): void {
    const last = this.#rests.get(contaId)?.ms
    const ms = last === undefined ? FAILED_REST_MS.first : Math.min(2 * last, FAILED_REST_MS.longest)
    this.#rests.set(contaId, { ms, until: performance.now() + ms })
  }

  succeeded(contaId: string): void {
    this.#rests.delete(contaId)
  }
}

type RoundDeps = Pick<SearchIndexDeps, 'db' | 'clock' | 'sleep' | 'log'>

/**
 * Reads the new messages of all contas, then older ones, each for at most 20 s. The contas take turns, a batch each, so
 * that one with many messages does not delay the others. Returns true if messages are left.
 */
export async function indexRound(
  { db, clock, sleep, log }: RoundDeps,
  stopped: () => boolean,
  failures = new ContaFailures(),
): Promise<boolean> {
  const due = (await db.read('*', (tx) => listDueContas(tx, clock.now()))).map(({ id }) => id)
  const awake = due.filter((contaId) => !failures.isResting(contaId))
  const readingOf = (contaId: string): Reading => {
    const skipped = (err: unknown): void => log.error({ err, contaId }, 'text not indexed, skipped')
    return { db, contaId, skipped }
  }
  const attempt = async (contaId: string, read: () => Promise<boolean>): Promise<boolean> => {
    try {
      const more = await read()
      if (!more) failures.succeeded(contaId)
      return more
    } catch (err) {
      failures.failed(contaId)
      log.error({ err, contaId }, 'search index of a conta not updated, retrying')
      return false
    }
  }
  const last = new Map<string, string | null>()
  const newer = await takeTurns(awake, stopped, (contaId) =>
    attempt(contaId, async () => {
      const after = await readNewer(readingOf(contaId), last.get(contaId) ?? null)
      last.set(contaId, after)
      return after !== null
    }),
  )
  const readable = awake.filter((contaId) => !failures.isResting(contaId))
  const older = await takeTurns(readable, stopped, (contaId) =>
    attempt(contaId, async () => {
      const begun = performance.now()
      const more = await readOlder(readingOf(contaId), clock.now())
      if (more) await sleep(REST * (performance.now() - begun))
      return more
    }),
  )
  return newer || older
}

/** Reads a batch of each conta in turn, for 20 s. Returns true if some conta has more. */
async function takeTurns(
  contas: readonly string[],
  stopped: () => boolean,
  read: (contaId: string) => Promise<boolean>,
): Promise<boolean> {
  const end = performance.now() + ROUND_MS
  let open = contas
  while (open.length > 0) {
    const unfinished: string[] = []
    for (const contaId of open) {
      if (stopped() || performance.now() > end) return true
      if (await read(contaId)) unfinished.push(contaId)
    }
    open = unfinished
  }
  return false
}

const dueSchema = z.object({ id: z.string() })

/**
 * Contas with newer messages than the task read, with older ones, or without a check in the last seven days. Contas that
 * waited longest come first, because a round may end before the last one.
 */
function listDueContas(tx: Tx, now: Date): Promise<{ readonly id: string }[]> {
  return tx.rows(
    dueSchema,
    `select c.id from contas c left join busca_contas b on b.conta_id = c.id
     where c.excluida_em is null and (b.desde is not null or b.rodada = 0
       or (b.rodada > 0 and b.notas_rodada is null)
       or b.completa_em < $1::timestamptz - interval '${CHECK_DAYS} days'
       or exists (select from mensagens m where m.conta_id = c.id
         and m.id > coalesce(b.ate, '${FIRST_ID}')))
     order by b.lida_em nulls first, c.id`,
    [now],
  )
}
