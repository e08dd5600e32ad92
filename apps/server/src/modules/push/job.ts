import type { Deps } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { readVapidKeys } from '#modules/usuarios/index.ts'
import type { VapidKeys } from '#ports/push/sender.ts'
import { deleteOldNotices, queueDueNotices } from './notices.ts'
import { claimNotices, type DueNotice, listTargets, type NoticeTarget, settleNotice } from './queue.ts'
import { deleteEndedSubscriptions, deleteSubscription, openDestination } from './subscriptions.ts'
import { noticeOf } from './texts.ts'

const LOOK_MS = 2_000
/** Of nodes that do not look. They send when the node that looks is slow or dead. */
const SEND_MS = 30_000
const CLEAN_MS = 60_000
const BATCH_SIZE = 20

type PushDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'log' | 'leader' | 'push'>

export interface PushJob {
  readonly start: () => void
  readonly stop: () => Promise<void>
}

/** The leader finds new notices every 2 s and sends the due ones. Notices that a dead node reserved wait for a minute. */
export function pushJob(deps: PushDeps): PushJob {
  const failed = (error: unknown): void => deps.log.error({ err: error }, 'push notices not handled, retrying')
  let tasks: readonly PeriodicTask[] = []
  return {
    start: () => {
      if (tasks.length > 0) return
      const sender = every({ ms: SEND_MS, task: () => sendDueNotices(deps), failed })
      const look = async (): Promise<void> => {
        await queueDueNotices(deps)
        // Not awaited: a slow push service must not delay the next look.
        sender.wake()
      }
      const clean = async (): Promise<void> => {
        await deleteEndedSubscriptions(deps)
        await deleteOldNotices(deps)
      }
      tasks = [
        sender,
        deps.leader.every({ name: 'push', ms: LOOK_MS, task: look, failed }),
        deps.leader.every({ name: 'push-limpeza', ms: CLEAN_MS, task: clean, failed }),
      ]
    },
    stop: async () => void (await Promise.all(tasks.map((task) => task.stop()))),
  }
}

/**
 * Sends the due notices. A notice is reserved, sent outside any transaction and then settled. After a crash in between
 * it is sent again.
 */
export async function sendDueNotices(deps: PushDeps): Promise<void> {
  let keys: VapidKeys | undefined
  for (let claimed = BATCH_SIZE; claimed === BATCH_SIZE;) {
    const due = await deps.db.once('*', (tx) => claimNotices(tx, deps.clock.now(), BATCH_SIZE))
    claimed = due.length
    if (claimed === 0) return
    const pair = (keys ??= await readVapidKeys(deps))
    await Promise.all(due.map((notice) => sendNotice(deps, notice, pair)))
  }
}

async function sendNotice(deps: PushDeps, notice: DueNotice, keys: VapidKeys): Promise<void> {
  const { conta_id: contaId } = notice
  const targets = await deps.db.read(contaId, (tx) => listTargets(tx, notice, deps.clock.now()))
  const outcomes = await Promise.all(targets.map(async (target) => sendTo(deps, { notice, target, keys })))
  const delivered = targets.filter((_target, index) => outcomes[index] === 'delivered').map(({ id }) => id)
  const failed = outcomes.includes('failed')
  await deps.db.transaction(contaId, (tx) => settleNotice(tx, notice, { delivered, failed, now: deps.clock.now() }))
}

interface Delivery {
  readonly notice: DueNotice
  readonly target: NoticeTarget
  readonly keys: VapidKeys
}

/** Deletes a subscription that its push service does not know any more. */
async function sendTo(deps: PushDeps, { notice, target, keys }: Delivery): Promise<'delivered' | 'ended' | 'failed'> {
  const { conta_id: contaId, conversa_id: conversaId, tipo } = notice
  const destination = openDestination(deps, { contaId, ...target })
  const outcome =
    destination === null
      ? 'ended'
      : await deps.push.send(destination, JSON.stringify(noticeOf(tipo, conversaId, target.nome)), keys)
  if (outcome === 'ended') await deleteSubscription(deps, contaId, target.id)
  return outcome
}
