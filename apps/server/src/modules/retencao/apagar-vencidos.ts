import { CONVERSAS_DIAS, LOGS_DIAS, RESPOSTAS_IA_DIAS } from '@balcao/contract/constants'
import type { Deps } from '#deps.ts'
import { idDesde } from '#ids.ts'
import { purgeAuditoria } from '#modules/auditoria/index.ts'
import { purgeAcessos } from '#modules/auth/index.ts'
import {
  type Apagar,
  apagarChegadas,
  apagarContatos,
  apagarConversas,
  apagarLogs,
  apagarMensagens,
  apagarRespostasIa,
  listContas,
} from './repository.ts'

const ATOS_POR_VEZ = 5_000
const DIA_MS = 24 * 3_600_000
/** WhatsApp keeps a message for a switched-off phone for 30 days. */
const CHEGADAS_DIAS = 30

const prazosDe = (conversasDias: number): readonly { readonly dias: number; readonly apagar: Apagar }[] => [
  { dias: conversasDias, apagar: apagarMensagens },
  { dias: conversasDias, apagar: apagarConversas },
  { dias: conversasDias, apagar: apagarContatos },
  { dias: LOGS_DIAS, apagar: apagarLogs },
  { dias: RESPOSTAS_IA_DIAS, apagar: apagarRespostasIa },
  { dias: CHEGADAS_DIAS, apagar: apagarChegadas },
]

/**
 * Deletes data past its retention period, in small transactions, one conta at a time. Returns the number of deleted
 * rows.
 */
export async function apagarVencidos(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  const agora = deps.clock.now()
  let apagadas = 0
  await deps.db.transaction('*', (tx) => purgeAcessos(tx, agora))
  for (;;) {
    const foram = await deps.db.transaction('*', (tx) => purgeAuditoria(tx, agora, ATOS_POR_VEZ))
    if (foram === 0) break
    apagadas += foram
  }
  for (const { id: contaId, retencao_dias } of await deps.db.transaction('*', listContas)) {
    for (const { dias, apagar } of prazosDe(retencao_dias ?? CONVERSAS_DIAS)) {
      const em = new Date(agora.getTime() - dias * DIA_MS)
      const antes = { id: idDesde(em), em }
      for (;;) {
        const foram = await deps.db.transaction(contaId, (tx) => apagar(tx, contaId, antes))
        if (foram === 0) break
        apagadas += foram
      }
    }
  }
  return apagadas
}
