import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { VERSAO_PRODUTO } from '@balcao/contract/constants'
import type { Deps } from '#deps.ts'
import { metricsOf } from '#http/metrics.ts'

const INTERVALO_MS = 30_000
const DIA_MS = 24 * 3_600_000

/** Name of this process for people. */
export const NOME_DO_NO = `${hostname()} · ${process.pid}`

export interface Batimento {
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
}

/** Writes a heartbeat row every 30 s and deletes it on stop. Rows of crashed processes are deleted after a day. */
export function createBatimento(deps: Pick<Deps, 'db' | 'clock' | 'log'>): Batimento {
  const { db, clock, log } = deps
  const id = randomUUID()
  const iniciadoEm = clock.now()
  let timer: NodeJS.Timeout | null = null
  let rodada: Promise<void> = Promise.resolve()

  const beat = async (): Promise<void> => {
    const vistoEm = clock.now()
    const agora = { vistoEm, memoria: process.memoryUsage.rss(), cpu: metricsOf(deps).cpuPercentual() }
    try {
      await db.transaction([], async (tx) => {
        const no = { id, nome: NOME_DO_NO, versao: VERSAO_PRODUTO, node: process.version, iniciadoEm, ...agora }
        await tx.kysely
          .insertInto('nos')
          .values(no)
          .onConflict((conflito) => conflito.column('id').doUpdateSet(agora))
          .execute()
        await tx.kysely
          .deleteFrom('nos')
          .where('vistoEm', '<', new Date(vistoEm.getTime() - DIA_MS))
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
      timer ??= setInterval(round, INTERVALO_MS).unref()
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
