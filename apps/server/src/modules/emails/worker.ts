import type { Deps } from '#deps.ts'
import { every, type PeriodicTask } from '#lib/every.ts'
import { ReservedWork } from '#db/reserved-work.ts'
import { claimDue, type DueMail, markFailed, markSent } from './repository.ts'
import { nextAttemptAt } from './rules.ts'

const INTERVAL_MS = 30_000
/** The mail server may accept a mail and not answer, so one conta has few of the sends. */
const AT_ONCE = 10
const PER_CONTA = 2
const ERROR_MAX = 300
/** Less than the reservation. A server that sends a byte from time to time exceeds no timeout of the socket. */
const SEND_MS = 60_000

type WorkerDeps = Pick<Deps, 'db' | 'clock' | 'vault' | 'log' | 'mailer'>

export interface MailWorker {
  /** Does nothing without a mail server. */
  readonly start: () => void
  readonly wake: () => void
  readonly stop: () => Promise<void>
  /** Returns the number of attempts. */
  readonly runOnce: () => Promise<number>
}

/**
 * A mail is sent outside any transaction and then marked. After a crash in between, or after a send that exceeded its
 * time, it is sent again.
 */
export function createMailWorker(deps: WorkerDeps, sendMs = SEND_MS): MailWorker {
  const { db, mailer, log } = deps
  let task: PeriodicTask | null = null
  let attempts = 0
  const work = new ReservedWork<DueMail>({
    atOnce: AT_ONCE,
    contaOf: ({ conta }) => conta,
    reserve: (room) => db.transaction('*', (tx) => claimDue(tx, deps, { ...room, perConta: PER_CONTA })),
    handle: (mail) => {
      attempts += 1
      return sendOne(deps, mail, sendMs)
    },
    failed: (error) => log.error({ err: error }, 'mail not marked'),
  })

  return {
    runOnce: async () => {
      if (!mailer.configured) return 0
      const before = attempts
      await work.start()
      await work.idle()
      return attempts - before
    },
    start: () => {
      if (!mailer.configured) return
      const failed = (error: unknown): void => log.error({ err: error }, 'mail queue not read')
      task ??= every({ ms: INTERVAL_MS, firstMs: 0, task: () => work.start(), failed })
    },
    wake: () => task?.wake(),
    stop: async () => {
      const stopping = task?.stop()
      task = null
      await Promise.all([stopping, work.stop()])
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
    await deps.db.transaction('*', (tx) =>
      markFailed(tx, { id: mail.id, reason: erro, nextAt: nextAttemptAt(now, mail.tentativas) }),
    )
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
