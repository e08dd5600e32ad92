import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'
import type { Deps } from '#deps.ts'
import { metricsOf } from '#http/ops/metrics.ts'

const INTERVAL_MS = 30_000
const DAY_MS = 24 * 3_600_000

/** Name of this process for people. */
export const NODE_NAME = `${hostname()} · ${process.pid}`

export interface HeartbeatJob {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Writes a heartbeat row every 30 s and deletes it on stop. Rows of crashed processes are deleted after a day. */
export function heartbeatJob(deps: Pick<Deps, 'db' | 'clock' | 'log'>): HeartbeatJob {
  const { db, clock, log } = deps
  const id = randomUUID()
  const iniciadoEm = clock.now()
  let timer: NodeJS.Timeout | null = null
  let rodada: Promise<void> = Promise.resolve()

  const beat = async (): Promise<void> => {
    const vistoEm = clock.now()
    const agora = { vistoEm, memoria: process.memoryUsage.rss(), cpu: metricsOf(deps).cpuPercent() }
    try {
      await db.transaction([], async (tx) => {
        const no = { id, nome: NODE_NAME, versao: VERSAO_PRODUTO, node: process.version, iniciadoEm, ...agora }
        await tx.kysely
          .insertInto('nos')
          .values(no)
          .onConflict((conflito) => conflito.column('id').doUpdateSet(agora))
          .execute()
        await tx.kysely
          .deleteFrom('nos')
          .where('vistoEm', '<', new Date(vistoEm.getTime() - DAY_MS))
          .execute()
      })
    } catch (error) {
      log.error({ err: error }, 'heartbeat not written')
    }
  }
  const round = (): void => {
    rodada = beat()
  }
  return {
    start: async () => {
      await beat()
      timer ??= setInterval(round, INTERVAL_MS).unref()
    },
    stop: async () => {
      if (timer === null) return
      clearInterval(timer)
      timer = null
      await rodada
      await db.transaction([], (tx) => tx.kysely.deleteFrom('nos').where('id', '=', id).execute())
    },
  }
}
