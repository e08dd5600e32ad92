import type { Deps } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { ClockJumps } from '#lib/time.ts'
import { sweepArquivos } from '#modules/arquivos/index.ts'
import { finishQuietAgentConversas } from '#modules/atendimento/index.ts'
import { deleteExpiredContas } from './delete-contas.ts'
import { deleteExpired } from './delete-expired.ts'

const INTERVAL_MS = 6 * 3_600_000
/** First run 10 minutes after the start, to keep the start fast. */
const FIRST_RUN_MS = 10 * 60_000

export interface RetentionJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

type RoundDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'files' | 'vault' | 'realtime' | 'keptAssets'>

export interface RetentionJobDeps extends RoundDeps {
  /** Deletes phone links without a conta. Returns how many it deleted. */
  readonly sweepLinks: () => Promise<number>
}

/** Runs retention 10 minutes after the start and then every 6 hours, so that daily restarts do not prevent it. */
export function retentionJob(deps: RetentionJobDeps): RetentionJob {
  let task: PeriodicTask | null = null
  const jumps = new ClockJumps(() => deps.clock.now())
  const round = async (): Promise<void> => {
    if (!jumps.held()) return deleteOldData(deps)
    deps.log.warn('clock set ahead, old data kept for a day')
  }
  return {
    start: () => {
      task ??= every({
        ms: INTERVAL_MS,
        firstMs: FIRST_RUN_MS,
        task: round,
        failed: (error) => deps.log.error({ err: error }, 'retention failed, retrying in six hours'),
      })
    },
    stop: async () => task?.stop(),
  }
}

async function deleteOldData(deps: RetentionJobDeps): Promise<void> {
  await finishQuietAgentConversas(deps)
  const contaRows = await deleteExpiredContas(deps)
  const apagadas = contaRows + (await deleteExpired(deps))
  const arquivos = await sweepArquivos(deps)
  const links = await deps.sweepLinks()
  const builds = await deps.keptAssets.sweep()
  if (apagadas + arquivos + links + builds > 0) {
    deps.log.info({ apagadas, arquivos, vinculos: links, builds }, 'retention deleted old data')
  }
}
