import { hasExpiredCopy, listCopies, pruneCopies } from '#db/backup/make-copy.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { ClockJumps } from '#lib/time.ts'
import type { Leader } from '#ports/bus.ts'
import type { Backups, BackupStatus } from '#ports/backups.ts'

const CHECK_MS = 60_000
const HOUR_MS = 3_600_000
const RETRY_MS = HOUR_MS

export interface BackupPlan {
  readonly dir: string
  readonly hours: number
  readonly keep: number
  readonly encrypted: boolean
  readonly make: (signal: AbortSignal) => Promise<void>
  readonly checkMs?: number
}

type BackupDeps = Pick<Deps, 'clock' | 'log'>

/** Makes a copy when the newest one in the folder is too old, so restarts do not shift or repeat it. */
export class BackupJob implements Backups {
  readonly #deps: BackupDeps
  readonly #plan: BackupPlan | undefined
  readonly #stopping = new AbortController()
  readonly #jumps: ClockJumps
  #task: PeriodicTask | null = null
  #running: Promise<void> | null = null
  #failedAt: Date | null = null

  constructor(deps: BackupDeps, plan: BackupPlan | undefined) {
    this.#deps = deps
    this.#jumps = new ClockJumps(deps.clock)
    this.#plan = plan
  }

  readonly status = async (): Promise<BackupStatus | null> => {
    if (this.#plan === undefined) return null
    const { dir, hours, keep, encrypted } = this.#plan
    const [newest] = await listCopies(dir)
    const scheduled =
      newest === undefined ? this.#deps.clock.now().getTime() : newest.madeAt.getTime() + hours * HOUR_MS
    const retry = this.#failedAt === null ? 0 : this.#failedAt.getTime() + RETRY_MS
    return {
      ...{ hours, keep, encrypted, running: this.#running !== null, failedAt: this.#failedAt },
      nextAt: new Date(Math.max(scheduled, retry)),
    }
  }

  readonly start = (): void => {
    if (this.#plan === undefined) throw new AppError('copiaSemPasta')
    if (this.#running !== null) throw new AppError('copiaEmAndamento')
    this.#run(this.#plan)
  }

  /** `run` repeats the check of the schedule. Default: on this node; with several nodes one of them makes the copies. */
  begin(run: Leader['every'] = every): void {
    const plan = this.#plan
    if (plan === undefined) return
    const failed = (error: unknown): void => this.#deps.log.error({ err: error }, 'backup schedule not read')
    this.#task ??= run({ name: 'copias', ms: plan.checkMs ?? CHECK_MS, task: () => this.#check(plan), failed })
  }

  async stop(): Promise<void> {
    // First, so that the copy ends even if the running check is slow.
    this.#stopping.abort()
    await this.#task?.stop()
    await this.#running
  }

  async #check(plan: BackupPlan): Promise<void> {
    if (this.#running !== null) return
    const now = this.#deps.clock.now()
    const copies = await listCopies(plan.dir)
    const held = this.#jumps.held()
    if (hasExpiredCopy(copies, now)) {
      if (held) this.#deps.log.warn('clock set ahead, old copies kept for a day')
      else await pruneCopies(plan.dir, { keep: plan.keep, now })
    }
    const status = await this.status()
    if (status !== null && status.nextAt <= now && !status.running) this.#run(plan)
  }

  #run({ make }: BackupPlan): void {
    const { log, clock } = this.#deps
    this.#running = make(this.#stopping.signal)
      .then(
        () => {
          this.#failedAt = null
          log.info('backup made')
        },
        (error: unknown) => {
          if (this.#stopping.signal.aborted) return
          this.#failedAt = clock.now()
          log.error({ err: error }, 'backup failed, retrying in an hour')
        },
      )
      .finally(() => (this.#running = null))
  }
}
