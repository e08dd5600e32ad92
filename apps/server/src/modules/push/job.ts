import type { Deps } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { deleteFinishedNotices, queueDueNotices } from './notices.ts'
import { createNoticeSender } from './send-notices.ts'
import { deleteEndedSubscriptions } from './subscriptions.ts'

const LOOK_MS = 2_000
/** Of nodes that do not look. They send when the node that looks is slow or dead. */
const SEND_MS = 30_000
const CLEAN_MS = 60_000

type PushDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'log' | 'leader' | 'push'>

export interface PushJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** The leader finds new notices every 2 s and sends the due ones. Notices that a dead node reserved wait for a minute. */
export function pushJob(deps: PushDeps): PushJob {
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'push notices not handled, retrying')
  const sender = createNoticeSender(deps)
  let tasks: readonly PeriodicTask[] = []
  return {
    start: () => {
      if (tasks.length > 0) return
      const look = async (): Promise<void> => {
        await queueDueNotices(deps)
        await sender.start()
      }
      const clean = async (): Promise<void> => {
        await deleteEndedSubscriptions(deps)
        await deleteFinishedNotices(deps)
      }
      tasks = [
        every({ ms: SEND_MS, task: () => sender.start(), failed }),
        deps.leader.every({ name: 'push', ms: LOOK_MS, task: look, failed }),
        deps.leader.every({ name: 'push-limpeza', ms: CLEAN_MS, task: clean, failed }),
      ]
    },
    stop: async () => void (await Promise.all([...tasks.map((task) => task.stop()), sender.stop()])),
  }
}
