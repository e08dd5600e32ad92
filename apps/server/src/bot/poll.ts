import { every, type PeriodicTask } from '#lib/every.ts'
import type { AiQuestions } from './ai/questions.ts'
import type { BotDeps } from './deps.ts'

const UNHELD_MS = 30_000

export interface WorkPollParts {
  readonly questions: Pick<AiQuestions, 'recoverUnheld'>
}

/** Reads stored work periodically, because a wake-up over the bus may be lost. */
export class WorkPoll {
  readonly #deps: Pick<BotDeps, 'log' | 'timings'>
  readonly #parts: WorkPollParts
  #tasks: readonly PeriodicTask[] = []

  constructor(deps: Pick<BotDeps, 'log' | 'timings'>, parts: WorkPollParts) {
    this.#deps = deps
    this.#parts = parts
  }

  start(): void {
    const { timings } = this.#deps
    const { questions } = this.#parts
    this.#tasks = [this.#every(timings?.unheldMs ?? UNHELD_MS, () => questions.recoverUnheld())]
  }

  /** Running rounds are not awaited: they only read and start work. */
  stop(): void {
    for (const task of this.#tasks) void task.stop()
  }

  #every(ms: number, task: () => Promise<unknown>): PeriodicTask {
    const failed = (error: unknown): void =>
      this.#deps.log.error({ err: error }, 'poll of stored work failed, retrying')
    return every({ ms, task, failed })
  }
}
