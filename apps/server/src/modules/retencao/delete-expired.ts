import * as z from 'zod/mini'
import { CONVERSAS_DIAS, LOGS_DIAS, RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { firstIdAt } from '#ids.ts'
import { purgeAuditoria } from '#modules/auditoria/index.ts'
import { purgeAccess } from '#modules/auth/index.ts'
import { deleteOldContatos, deleteOldConversas, deleteOldMensagens } from '#modules/conversas/index.ts'
import { deleteOldRespostas } from '#modules/ia/index.ts'
import { deleteOldLogs } from '#modules/logs/index.ts'
import { deleteOldEvents } from '#modules/oficial/index.ts'

const ATOS_BATCH_SIZE = 5_000
const DAY_MS = 24 * 3_600_000
/** WhatsApp keeps a message for a switched-off phone for 30 days. */
const EVENTS_DAYS = 30

/** Deletes one batch of data older than `before` and returns the number of rows. */
type DeleteOld = (tx: Tx, contaId: string, before: { readonly id: string; readonly em: Date }) => Promise<number>

const retentionTerms = (conversasDias: number): readonly { readonly days: number; readonly deleteOld: DeleteOld }[] => [
  { days: conversasDias, deleteOld: deleteOldMensagens },
  { days: conversasDias, deleteOld: deleteOldConversas },
  { days: conversasDias, deleteOld: deleteOldContatos },
  { days: LOGS_DIAS, deleteOld: deleteOldLogs },
  { days: RESPOSTAS_IA_DIAS, deleteOld: deleteOldRespostas },
  { days: EVENTS_DAYS, deleteOld: deleteOldEvents },
]

/**
 * Deletes data past its retention period, in small transactions, one conta at a time. Returns the number of deleted
 * rows.
 */
export async function deleteExpired(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const now = deps.clock.now()
  let deleted = 0
  await deps.db.transaction('*', (tx) => purgeAccess(tx, now))
  for (;;) {
    const count = await deps.db.transaction('*', (tx) => purgeAuditoria(tx, now, ATOS_BATCH_SIZE))
    if (count === 0) break
    deleted += count
  }
  for (const { id: contaId, retencao_dias } of await deps.db.transaction('*', listContasToClean)) {
    for (const { days, deleteOld } of retentionTerms(retencao_dias ?? CONVERSAS_DIAS)) {
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

const contaSchema = z.object({ id: z.string(), retencao_dias: z.nullable(z.int()) })

/** All contas without a legal hold, with their retention in days. Null means the default. */
function listContasToClean(tx: Tx): Promise<z.output<typeof contaSchema>[]> {
  return tx.rows(
    contaSchema,
    `select c.id, p.retencao_dias from contas c left join privacidade p on p.conta_id = c.id
     where p.guarda_legal is not true order by c.id`,
  )
}
