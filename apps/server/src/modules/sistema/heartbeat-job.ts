import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'
import type { Deps } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'

const INTERVAL_MS = 30_000
const DAY_MS = 24 * 3_600_000

/** Name of this process for people. */
export const NODE_NAME = `${hostname()} · ${process.pid}`

export interface HeartbeatJob {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Writes a heartbeat row every 30 s and deletes it on stop. Rows of crashed processes are deleted after a day. */
export function heartbeatJob(deps: Pick<Deps, 'db' | 'clock' | 'log' | 'metrics'>): HeartbeatJob {
  const { db, clock, log } = deps
  const id = randomUUID()
  const iniciadoEm = clock.now()
  let task: PeriodicTask | null = null

  const beat = async (): Promise<void> => {
    const vistoEm = clock.now()
    const current = { vistoEm, memoria: process.memoryUsage.rss(), cpu: deps.metrics.cpuPercent() }
    const node = { id, nome: NODE_NAME, versao: VERSAO_PRODUTO, node: process.version, iniciadoEm, ...current }
    await db.transaction([], async (tx) => {
      await tx.kysely
        .insertInto('nos')
        .values(node)
        .onConflict((conflict) => conflict.column('id').doUpdateSet(current))
        .execute()
      await tx.kysely
        .deleteFrom('nos')
        .where('vistoEm', '<', new Date(vistoEm.getTime() - DAY_MS))
        .execute()
    })
  }
  const failed = (error: unknown): void => log.error({ err: error }, 'heartbeat not written')

  return {
    start: async () => {
      await beat().catch(failed)
      task ??= every({ ms: INTERVAL_MS, task: beat, failed })
    },
    stop: async () => {
      if (task === null) return
      await task.stop()
      task = null
      await db.transaction([], (tx) => tx.kysely.deleteFrom('nos').where('id', '=', id).execute())
    },
  }
}
