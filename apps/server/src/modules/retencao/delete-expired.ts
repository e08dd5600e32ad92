import * as z from 'zod/mini'
import { ACESSOS_DIAS, CONVERSAS_DIAS, LOGS_DIAS, RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { firstIdAt } from '#ids.ts'
import { purgeAuditoria } from '#modules/auditoria/index.ts'
import { purgeAccess } from '#modules/auth/index.ts'
import { deleteOldJournalEntries } from '#modules/bot/index.ts'
import { clearRemovedOperadores } from '#modules/contas/index.ts'
import {
  deleteOldContatos,
  deleteOldConversas,
  deleteOldMensagens,
  deleteOldSeenMarks,
  type SeenDeps,
} from '#modules/conversas/index.ts'
import { deleteOldMails } from '#modules/emails/index.ts'
import { deleteOldRespostas } from '#modules/ia/index.ts'
import { deleteOldLogs } from '#modules/logs/index.ts'
import { deleteOldEvents } from '#modules/oficial/index.ts'

const ROWS_BATCH_SIZE = 5_000
const DAY_MS = 24 * 3_600_000
/** WhatsApp keeps a message for a switched-off phone for 30 days. */
const JOURNAL_DAYS = 30
const MAILS_DAYS = 30
/** As long as the access records of the same people. */
const REMOVED_DAYS = ACESSOS_DIAS

/** Deletes one batch of data older than `before` and returns the number of rows. */
type DeleteOld = (tx: Tx, contaId: string, before: { readonly id: string; readonly em: Date }) => Promise<number>

interface RetentionTerm {
  readonly days: number
  readonly deleteOld: DeleteOld
}

const retentionTerms = (deps: SeenDeps, conversasDias: number): readonly RetentionTerm[] => [
  { days: conversasDias, deleteOld: (tx, contaId, before) => deleteOldMensagens(tx, deps, contaId, before) },
  { days: conversasDias, deleteOld: deleteOldConversas },
  { days: conversasDias, deleteOld: deleteOldContatos },
  { days: LOGS_DIAS, deleteOld: deleteOldLogs },
  { days: RESPOSTAS_IA_DIAS, deleteOld: deleteOldRespostas },
  { days: JOURNAL_DAYS, deleteOld: deleteOldEvents },
  { days: JOURNAL_DAYS, deleteOld: deleteOldJournalEntries },
  { days: REMOVED_DAYS, deleteOld: clearRemovedOperadores },
  // A mark stores the end of its period.
  { days: 0, deleteOld: deleteOldSeenMarks },
]

/**
 * Deletes data past its retention period, in small transactions, one conta at a time. Returns the number of deleted
 * rows.
 */
export async function deleteExpired(deps: Pick<Deps, 'db' | 'clock' | 'vault'>): Promise<number> {
  const now = deps.clock.now()
  let deleted = 0
  deleted += await repeat(deps, (tx) => purgeAccess(tx, now, ROWS_BATCH_SIZE))
  const mailsBefore = new Date(now.getTime() - MAILS_DAYS * DAY_MS)
  deleted += await repeat(deps, (tx) => purgeAuditoria(tx, now, ROWS_BATCH_SIZE))
  deleted += await repeat(deps, (tx) => deleteOldMails(tx, mailsBefore, ROWS_BATCH_SIZE))
  for (const { id: contaId, retencao_dias } of await deps.db.transaction('*', listContasToClean)) {
    for (const { days, deleteOld } of retentionTerms(deps, retencao_dias ?? CONVERSAS_DIAS)) {
      const em = new Date(now.getTime() - days * DAY_MS)
      const before = { id: firstIdAt(em), em }
      for (;;) {
        const count = await deps.db.transaction(contaId, (tx) => deleteOld(tx, contaId, before))
        if (count === 0) break
        deleted += count
      }
    }
  }
  return deleted
}

/** Runs `deleteSome` in separate transactions until it deletes no row. Returns the number of rows. */
async function repeat({ db }: Pick<Deps, 'db'>, deleteSome: (tx: Tx) => Promise<number>): Promise<number> {
  let deleted = 0
  for (;;) {
    const count = await db.transaction('*', deleteSome)
    if (count === 0) return deleted
    deleted += count
  }
}

const contaSchema = z.object({ id: z.string(), retencao_dias: z.nullable(z.int()) })

/** All contas without a legal hold, with their retention in days. Null means the default. */
function listContasToClean(tx: Tx): Promise<z.output<typeof contaSchema>[]> {
  return tx.rows(
    contaSchema,
    `select c.id, p.retencao_dias from contas c left join privacidade p on p.conta_id = c.id
     where p.guarda_legal is not true order by c.id`,
  )
}
