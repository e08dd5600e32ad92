import { LRUCache } from 'lru-cache'
import type { Deps } from '#deps.ts'
import type { PeriodicTask } from '#lib/every.ts'
import { listDueContas, readersOf } from './read-words.ts'

const INTERVAL_MS = 30_000
/** The start is not slowed down. */
const FIRST_RUN_MS = 20_000
/** Rest after a batch of old texts, in times of its work. A busy shop does not notice the task. */
const REST = 2
/** Time for new texts, and then for older ones. The others are read in later rounds. */
const ROUND_MS = 20_000
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

/**
 * Reads the new texts of all contas, then older ones, each for at most 20 s. The contas take turns, a batch each, so that
 * one with many texts does not delay the others. Returns true if texts are left.
 */
export async function indexRound(
  { db, clock, sleep, log }: Omit<SearchIndexDeps, 'leader'>,
  stopped: () => boolean,
  failures = newFailures(),
): Promise<boolean> {
  const now = clock.now()
  const due = await db.read('*', (tx) => listDueContas(tx, { now }))
  const isAwake = ({ id }: { readonly id: string }): boolean => performance.now() >= (failures.get(id)?.until ?? 0)
  const contas = due.filter(isAwake).map(({ id }) => {
    const skipped = (err: unknown): void => log.error({ err, contaId: id }, 'text not indexed, skipped')
    return { id, ...readersOf({ db, contaId: id, now, skipped }) }
  })
  const attempt = async (contaId: string, read: () => Promise<boolean>): Promise<boolean> => {
    try {
      const more = await read()
      if (!more) failures.delete(contaId)
      return more
    } catch (err) {
      const ms = Math.min(2 * (failures.get(contaId)?.ms ?? FAILED_REST_MS.first / 2), FAILED_REST_MS.longest)
      failures.set(contaId, { ms, until: performance.now() + ms })
      log.error({ err, contaId }, 'search index of a conta not updated, retrying')
      return false
    }
  }
  const newer = await takeTurns(contas, stopped, ({ id, readNewer }) => attempt(id, readNewer))
  const older = await takeTurns(contas.filter(isAwake), stopped, async ({ id, readOlder }) => {
    const begun = performance.now()
    const more = await attempt(id, readOlder)
    if (more) await sleep(REST * (performance.now() - begun))
    return more
  })
  return newer || older
}

/** Reads a batch of each conta in turn, for 20 s. Returns true if some conta has more. */
async function takeTurns<Conta>(
  contas: readonly Conta[],
  stopped: () => boolean,
  read: (conta: Conta) => Promise<boolean>,
): Promise<boolean> {
  const end = performance.now() + ROUND_MS
  let open = contas
  while (open.length > 0) {
    const unfinished: Conta[] = []
    for (const conta of open) {
      if (stopped() || performance.now() > end) return true
      if (await read(conta)) unfinished.push(conta)
    }
    open = unfinished
  }
  return false
}
