import type { Deps } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { claimDue, type DueMail, markFailed, markSent } from './repository.ts'
import { nextAttemptAt } from './rules.ts'

/** Only retries wait for the next round. */
const INTERVAL_MS = 30_000
const BATCH_SIZE = 10
const ERROR_MAX = 300
/** Less than the reservation. A server that sends a byte from time to time exceeds no timeout of the socket. */
const SEND_MS = 2 * 60_000

type WorkerDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'log' | 'mailer'>

export interface MailWorker {
  /** Sends due mails on `wake` and every 30 s. Does nothing without a mail server. */
  readonly start: () => void
  readonly wake: () => void
  readonly stop: () => Promise<void>
  /** Sends the due mails now. Returns the number of attempts. */
  readonly runOnce: () => Promise<number>
}

/**
 * Sends queued mails. A mail is reserved, sent outside any transaction and then marked as sent. After a crash in
 * between, or after a send that exceeded its time, it is sent again, so delivery is at least once.
 */
export function createMailWorker(deps: WorkerDeps, sendMs = SEND_MS): MailWorker {
  let task: PeriodicTask | null = null

  const runOnce = async (): Promise<number> => {
    if (!deps.mailer.configured) return 0
    const due = await deps.db.transaction('*', (tx) => claimDue(tx, deps, BATCH_SIZE))
    await Promise.all(due.map((mail) => sendOne(deps, mail, sendMs)))
    return due.length
  }
  const drain = async (): Promise<void> => {
    while (task !== null && (await runOnce()) === BATCH_SIZE);
  }

  return {
    runOnce,
    start: () => {
      if (!deps.mailer.configured) return
      const failed = (error: unknown): void => deps.log.error({ err: error }, 'mail queue not read')
      task ??= every({ ms: INTERVAL_MS, firstMs: 0, task: drain, failed })
    },
    wake: () => task?.wake(),
    stop: async () => {
      const stopping = task?.stop()
      task = null
      await stopping
    },
  }
}

async function sendOne(deps: WorkerDeps, mail: DueMail, sendMs: number): Promise<void> {
  try {
    if (mail.texto === '') throw new Error('mail not opened, key changed')
    await rejectAfter(sendMs, deps.mailer.send({ para: mail.para, assunto: mail.assunto, texto: mail.texto }))
  } catch (error) {
    const now = deps.clock.now()
    const erro = (error instanceof Error ? error.message : 'unknown error').slice(0, ERROR_MAX)
    deps.log.warn({ emailId: mail.id, tentativas: mail.tentativas, erro }, 'mail not sent')
    await deps.db.transaction('*', (tx) => markFailed(tx, mail.id, erro, nextAttemptAt(now, mail.tentativas)))
    return
  }
  await deps.db.transaction('*', (tx) => markSent(tx, mail, deps.clock.now()))
}

async function rejectAfter(ms: number, work: Promise<void>): Promise<void> {
  const { promise: deadline, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('time limit of a mail exceeded')), ms)
  try {
    await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}
