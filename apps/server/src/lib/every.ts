import { runForRequest } from './context/current-request.ts'

export interface PeriodicTask {
  /** Runs a round now. During a round it runs another one afterwards. */
  readonly wake: () => void
  /** Starts no further round. Resolves when the running one is over. */
  readonly stop: () => Promise<void>
}

export interface EveryOptions {
  readonly ms: number
  readonly firstMs?: number
  readonly task: () => Promise<unknown> | void
  readonly failed: (error: unknown) => void
}

/** Runs a task periodically until it is stopped. Never runs two rounds at once: a late round is skipped. */
export function every({ ms, firstMs = ms, task, failed }: EveryOptions): PeriodicTask {
  let running: Promise<void> | null = null
  let again = false
  let timer: NodeJS.Timeout | null = null

  const round = async (): Promise<void> => {
    do {
      again = false
      try {
        await task()
      } catch (error) {
        failed(error)
      }
    } while (again)
    running = null
  }
  const tick = (): void => {
    timer = setTimeout(tick, ms).unref()
    running ??= round()
  }
  timer = setTimeout(tick, firstMs).unref()

  return {
    wake: () => {
      if (timer === null) return
      if (running === null) running = runForRequest(undefined, round)
      else again = true
    },
    stop: async () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      again = false
      await running
    },
  }
}

export interface Job {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** Periodic tasks that begin together and at most once. */
export function createJob(begin: () => readonly PeriodicTask[]): Job {
  let tasks: readonly PeriodicTask[] = []
  return {
    start: () => {
      if (tasks.length === 0) tasks = begin()
    },
    stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  }
}
