import type { Deps } from '#deps.ts'
import { claimDue, type EmailDevido, markFailed, markSent } from './repository.ts'
import { proximaTentativa } from './rules.ts'

const INTERVALO_MS = 2_000
const LOTE = 10
const ERRO_MAXIMO = 300

type WorkerDeps = Pick<Deps, 'db' | 'clock' | 'cofre' | 'log' | 'mailer'>

export interface MailWorker {
  /** Polls for due mails every 2 s. Does nothing without a mail server. */
  readonly start: () => void
  readonly stop: () => Promise<void>
  /** Sends the due mails now. Returns the number of attempts. */
  readonly runOnce: () => Promise<number>
}

/**
 * Sends queued mails. A mail is reserved, sent outside any transaction and then marked as sent. After a crash in
 * between it is sent again, so delivery is at least once.
 */
export function createMailWorker(deps: WorkerDeps): MailWorker {
  let timer: NodeJS.Timeout | null = null
  let parado = true
  let rodada: Promise<unknown> = Promise.resolve()

  const runOnce = async (): Promise<number> => {
    if (!deps.mailer.configurado) return 0
    const devidos = await deps.db.transaction('*', (tx) => claimDue(tx, deps, LOTE))
    await Promise.all(devidos.map((mail) => sendOne(deps, mail)))
    return devidos.length
  }
  const round = async (): Promise<void> => {
    try {
      while (!parado && (await runOnce()) === LOTE);
    } catch (error) {
      deps.log.error({ err: error }, 'mail queue not read')
    }
    if (!parado) schedule(INTERVALO_MS)
  }
  const schedule = (ms: number): void => {
    timer = setTimeout(() => {
      rodada = round()
    }, ms)
    timer.unref()
  }

  return {
    runOnce,
    start: () => {
      if (!parado || !deps.mailer.configurado) return
      parado = false
      schedule(0)
    },
    stop: async () => {
      parado = true
      if (timer !== null) clearTimeout(timer)
      await rodada
    },
  }
}

async function sendOne(deps: WorkerDeps, mail: EmailDevido): Promise<void> {
  try {
    if (mail.texto === '') throw new Error('mail not opened, key changed')
    await deps.mailer.send({ para: mail.para, assunto: mail.assunto, texto: mail.texto })
  } catch (error) {
    const agora = deps.clock.now()
    const erro = (error instanceof Error ? error.message : 'unknown error').slice(0, ERRO_MAXIMO)
    deps.log.warn({ emailId: mail.id, tentativas: mail.tentativas, erro }, 'mail not sent')
    await deps.db.transaction('*', (tx) => markFailed(tx, mail.id, erro, proximaTentativa(agora, mail.tentativas)))
    return
  }
  await deps.db.transaction('*', (tx) => markSent(tx, mail, deps.clock.now()))
}
