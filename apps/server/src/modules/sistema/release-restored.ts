import type { RestoreDecision } from '@balcao/contract/entities/sistema-admin'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { failRestoredAgendadas } from '#modules/agendadas/index.ts'
import { type AuditActor, recordAuditoria } from '#modules/auditoria/index.ts'
import { deleteQuestionsUntil } from '#modules/ia/index.ts'
import { failWaiting } from '#modules/mensagens/index.ts'
import { discardMails } from '#modules/emails/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import { deleteDueFarewells } from '#modules/despedidas/index.ts'
import { deleteDuePrintJobs, deleteDueReminders } from '#modules/pedidos/index.ts'
import { deleteDueTimers, skipDueSummaries } from '#modules/prazos/index.ts'
import { findPendingRestore, markRestoreDecided } from './repository.ts'

type ReleaseDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'realtime' | 'mailQueued'>

const DISCARDED_PER_STATEMENT = 1_000
const DISCARDED_TEXT = 'Esta mensagem esperava quando o sistema voltou de uma cópia, e foi descartada.'
const MAIL_DISCARDED_TEXT = 'Descartado: esperava quando o sistema voltou de uma cópia.'

interface Released {
  readonly mensagens: number
  readonly emails: number
  readonly agendadas: number
}

/**
 * Releases bots and mails after the import of a backup. `descartar` first fails the messages that the backup
 * contained and gives up its questions, mails, due timers and due scheduled messages. Expired messages are not sent in either case. The nodes take the
 * bots at their next search. Throws `semCopiaRestaurada`.
 */
export async function releaseRestored(
  deps: ReleaseDeps,
  decision: RestoreDecision,
  actor: AuditActor | null,
): Promise<Released> {
  const { db, clock, mailQueued } = deps
  return db.transaction(
    '*',
    async (tx) => {
      const now = clock.now()
      const pending = await findPendingRestore(tx, { now })
      if (pending === null || (await markRestoreDecided(tx, { decision, now })) === 0) {
        throw new AppError('semCopiaRestaurada')
      }
      const { mensagens, emails, agendadas, importadaEm } = pending
      const done =
        decision === 'descartar' ? await discard(tx, deps, importadaEm, now) : { mensagens, emails, agendadas }
      const act = decision === 'descartar' ? 'Descartou o que esperava' : 'Enviou o que esperava'
      const detalhe = `${act}. Mensagens: ${done.mensagens}. E-mails: ${done.emails}. Agendadas: ${done.agendadas}.`
      await recordAuditoria(tx, deps, { acao: 'copiaLiberada', quem: actor, detalhe })
      tx.afterCommit(mailQueued)
      return done
    },
    { planner: 'indexes' },
  )
}

async function discard(tx: Tx, deps: ReleaseDeps, until: Date, now: Date): Promise<Released> {
  const counts = new Map<string, number>()
  const reason = { automatic: DISCARDED_TEXT, person: DISCARDED_TEXT }
  for (;;) {
    const failed = await failWaiting(tx, {
      which: 'queued',
      contaId: null,
      until,
      reason,
      max: DISCARDED_PER_STATEMENT,
    })
    for (const { contaId } of failed) counts.set(contaId, (counts.get(contaId) ?? 0) + 1)
    if (failed.length < DISCARDED_PER_STATEMENT) break
  }
  for (const [contaId, count] of counts) {
    await insertLog(tx, deps, contaId, { tipo: 'warning', mensagem: discardedLogText(count) })
    tx.afterCommit(() => deps.realtime.disconnect({ contaId }))
  }
  await deleteQuestionsUntil(tx, { until })
  await deleteDueTimers(tx, { now })
  await deleteDueFarewells(tx, { now })
  await deleteDueReminders(tx, { now })
  await deleteDuePrintJobs(tx, { now })
  await skipDueSummaries(tx, { now })
  const agendadas = await failRestoredAgendadas(tx, { now })
  for (const contaId of new Set(agendadas.map((one) => one.contaId)))
    tx.afterCommit(() => deps.realtime.disconnect({ contaId }))
  const emails = await discardMails(tx, { until, reason: MAIL_DISCARDED_TEXT })
  const mensagens = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { mensagens, emails, agendadas: agendadas.length }
}

function discardedLogText(count: number): string {
  const what =
    count === 1 ? 'Uma mensagem que esperava foi descartada' : `${count} mensagens que esperavam foram descartadas`
  return `O sistema voltou de uma cópia de segurança. ${what}. Use “Tentar de novo” na conversa se ainda fizer sentido.`
}
