import type { Deps } from '#deps.ts'
import { recordHourlyNumbers } from './hourly-numbers.ts'

const INTERVAL_MS = 10 * 60_000

export interface UsageJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Records the hourly numbers. Runs every 10 minutes, so a restart does not skip an hour. */
export function usageJob(deps: Pick<Deps, 'db' | 'clock' | 'log'>): UsageJob {
  let timer: NodeJS.Timeout | null = null
  let rodada: Promise<void> = Promise.resolve()

  const record = async (): Promise<void> => {
    try {
      await deps.db.transaction('*', (tx) => recordHourlyNumbers(tx, deps.clock.now()))
    } catch (error) {
      deps.log.error({ err: error }, 'hourly numbers not recorded')
    }
  }
  const round = (): void => {
    rodada = record()
  }
  return {
    start: () => {
      round()
      timer ??= setInterval(round, INTERVAL_MS).unref()
    },
    stop: async () => {
      if (timer !== null) clearInterval(timer)
      await rodada
    },
  }
}
