import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { batchReader, listDueContas } from './read-words.ts'

const INTERVAL_MS = 30_000
/** The start is not slowed down. */
const FIRST_RUN_MS = 20_000
/** Rest after a batch of old texts, in times of its work. A busy shop does not notice the task. */
const REST = 2
/** The texts that are left are read in later rounds. */
const ROUND_MS = 40_000
const CONTAS_MAX = 10_000
/** Rest of a conta whose texts cannot be read. It doubles with each failure. */
const FAILED_REST_MS = { first: INTERVAL_MS, longest: 3_600_000 }

export type SearchIndexDeps = Pick<Deps, 'db' | 'clock' | 'leader' | 'log' | 'sleep'>

export interface SearchIndexJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Reads the words of new texts every 30 s on one node, and those of older texts at the first start. */
export function searchIndexJob(deps: SearchIndexDeps): SearchIndexJob {
  let task: PeriodicTask | null = null
  let stopping = false
  const failures = newFailures()
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
const newFailures = () => new LRUCache<string, { readonly ms: number; readonly until: number }>({ max: CONTAS_MAX })

type RoundDeps = Pick<SearchIndexDeps, 'db' | 'clock' | 'sleep' | 'log'>

/**
 * Reads the texts of all contas for at most 40 s, the new ones of a conta first. The contas take turns, a batch each, so
 * that one with many texts does not delay the others. Returns true if texts are left.
 */
export async function indexRound(
  { db, clock, sleep, log }: RoundDeps,
  stopped: () => boolean,
  failures = newFailures(),
): Promise<boolean> {
  const now = clock.now()
  const end = performance.now() + ROUND_MS
  const due = await db.read('*', (tx) => listDueContas(tx, { now }))
  let open = due
    .filter(({ id }) => performance.now() >= (failures.get(id)?.until ?? 0))
    .map(({ id: contaId }) => {
      const skipped = (err: unknown): void => log.error({ err, contaId }, 'text not indexed, skipped')
      return { contaId, readBatch: batchReader({ db, contaId, now, skipped }) }
    })
  while (open.length > 0) {
    const unfinished: typeof open = []
    for (const conta of open) {
      if (stopped() || performance.now() > end) return true
      const begun = performance.now()
      const read = await conta.readBatch().catch((err: unknown) => {
        const ms = Math.min(2 * (failures.get(conta.contaId)?.ms ?? FAILED_REST_MS.first / 2), FAILED_REST_MS.longest)
        failures.set(conta.contaId, { ms, until: performance.now() + ms })
        log.error({ err, contaId: conta.contaId }, 'search index of a conta not updated, retrying')
        return 'failed' as const
      })
      if (read === 'newer' || read === 'older') unfinished.push(conta)
      if (read === 'older') await sleep(REST * (performance.now() - begun))
      if (read === 'none') failures.delete(conta.contaId)
    }
    open = unfinished
  }
  return false
}
