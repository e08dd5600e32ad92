import type { Deps } from '#deps.ts'
import { createJob, every, type Job } from '#lib/every.ts'
import { ClockJumps } from '#lib/time.ts'
import { deleteUnusedRows, sweepBytes } from '#modules/arquivos/index.ts'
import { finishQuietAgentConversas } from '#modules/atendimento/index.ts'
import { deleteExpiredContas } from './delete-contas.ts'
import { deleteExpired } from './delete-expired.ts'

const INTERVAL_MS = 6 * 3_600_000
const FIRST_RUN_MS = 10 * 60_000

type RoundDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'files' | 'vault' | 'realtime' | 'keptAssets' | 'leader'>

export interface RetentionJobDeps extends RoundDeps {
  readonly sweepLinks: () => Promise<number>
}

/**
 * Runs retention 10 minutes after the start and then every 6 hours. One node deletes rows and shared files; each node
 * deletes what lies on its own disk.
 */
export function retentionJob(deps: RetentionJobDeps): Job {
  const times = { ms: INTERVAL_MS, firstMs: FIRST_RUN_MS }
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'retention failed, retrying in six hours')
  const round = (work: (deps: RetentionJobDeps) => Promise<void>): (() => Promise<void>) => {
    const jumps = new ClockJumps(deps.clock)
    return async () => {
      if (!jumps.held()) return work(deps)
      deps.log.warn('clock set ahead, old data kept for a day')
    }
  }
  return createJob(() => [
    deps.leader.every({ ...times, name: 'retencao', task: round(deleteOldData), failed }),
    every({ ...times, task: round(deleteOwnFiles), failed }),
  ])
}

type RowDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'files' | 'vault' | 'realtime'>

export async function deleteOldRows(deps: RowDeps): Promise<number> {
  await finishQuietAgentConversas(deps)
  const contaRows = await deleteExpiredContas(deps)
  const rows = contaRows + (await deleteExpired(deps))
  await deleteUnusedRows(deps)
  return rows
}

async function deleteOldData(deps: RetentionJobDeps): Promise<void> {
  const apagadas = await deleteOldRows(deps)
  const arquivos = deps.files.shared ? await sweepBytes(deps) : 0
  const builds = await deps.keptAssets.sweep()
  if (apagadas + arquivos + builds > 0) deps.log.info({ apagadas, arquivos, builds }, 'retention deleted old data')
}

async function deleteOwnFiles(deps: RetentionJobDeps): Promise<void> {
  await deps.keptAssets.store()
  const arquivos = deps.files.shared ? 0 : await sweepBytes(deps)
  const links = await deps.sweepLinks()
  if (arquivos + links > 0) deps.log.info({ arquivos, vinculos: links }, 'retention deleted files of this node')
}
