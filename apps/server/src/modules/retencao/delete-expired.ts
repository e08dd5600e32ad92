import { CONVERSAS_DIAS, LOGS_DIAS, RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import type { Deps } from '#deps.ts'
import { firstIdAt } from '#ids.ts'
import { purgeAuditoria } from '#modules/auditoria/index.ts'
import { purgeAccess } from '#modules/auth/index.ts'
import {
  type DeleteOld,
  deleteOldEvents,
  deleteOldContatos,
  deleteOldConversas,
  deleteOldLogs,
  deleteOldMensagens,
  deleteOldRespostasIa,
  listContasToClean,
} from './repository.ts'

const ATOS_BATCH_SIZE = 5_000
const DAY_MS = 24 * 3_600_000
/** WhatsApp keeps a message for a switched-off phone for 30 days. */
const EVENTS_DAYS = 30

const retentionTerms = (conversasDias: number): readonly { readonly dias: number; readonly apagar: DeleteOld }[] => [
  { dias: conversasDias, apagar: deleteOldMensagens },
  { dias: conversasDias, apagar: deleteOldConversas },
  { dias: conversasDias, apagar: deleteOldContatos },
  { dias: LOGS_DIAS, apagar: deleteOldLogs },
  { dias: RESPOSTAS_IA_DIAS, apagar: deleteOldRespostasIa },
  { dias: EVENTS_DAYS, apagar: deleteOldEvents },
]

/**
 * Deletes data past its retention period, in small transactions, one conta at a time. Returns the number of deleted
 * rows.
 */
export async function deleteExpired(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const agora = deps.clock.now()
  let deleted = 0
  await deps.db.transaction('*', (tx) => purgeAccess(tx, agora))
  for (;;) {
    const foram = await deps.db.transaction('*', (tx) => purgeAuditoria(tx, agora, ATOS_BATCH_SIZE))
    if (foram === 0) break
    deleted += foram
  }
  for (const { id: contaId, retencao_dias } of await deps.db.transaction('*', listContasToClean)) {
    for (const { dias, apagar } of retentionTerms(retencao_dias ?? CONVERSAS_DIAS)) {
      const em = new Date(agora.getTime() - dias * DAY_MS)
      const before = { id: firstIdAt(em), em }
      for (;;) {
        const foram = await deps.db.transaction(contaId, (tx) => apagar(tx, contaId, before))
        if (foram === 0) break
        deleted += foram
      }
    }
  }
  return deleted
}
