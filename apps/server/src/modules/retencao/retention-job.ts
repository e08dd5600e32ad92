import type { Deps } from '#deps.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { deleteExpiredContas } from './delete-contas.ts'
import { deleteExpired } from './delete-expired.ts'

const INTERVAL_MS = 6 * 3_600_000
/** First run 10 minutes after the start, to keep the start fast. */
const FIRST_RUN_MS = 10 * 60_000

export interface RetentionJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

export interface RetentionJobDeps extends Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'files'> {
  /** Deletes phone links without a conta. Returns how many it deleted. */
  readonly sweepLinks: () => Promise<number>
}

/** Runs retention 10 minutes after the start and then every 6 hours, so that daily restarts do not prevent it. */
export function retentionJob(deps: RetentionJobDeps): RetentionJob {
  let timer: NodeJS.Timeout | null = null
  let round: Promise<void> = Promise.resolve()

  const clear = async (): Promise<void> => {
    try {
      const excluidas = await deleteExpiredContas(deps)
      const apagadas = excluidas + (await deleteExpired(deps))
      const arquivos = await sweepArquivos(deps)
      const vinculos = await deps.sweepLinks()
      if (apagadas + arquivos + vinculos > 0)
        deps.log.info({ apagadas, arquivos, vinculos }, 'retention deleted old data')
    } catch (error) {
      deps.log.error({ err: error }, 'retention failed, retrying in six hours')
    }
  }
  const schedule = (ms: number): void => {
    timer = setTimeout(() => {
      round = clear().finally(() => {
        if (timer !== null) schedule(INTERVAL_MS)
      })
    }, ms).unref()
  }
  return {
    start: () => schedule(FIRST_RUN_MS),
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      await round
    },
  }
}
