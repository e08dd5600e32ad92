import type { Tarifa } from '@balcao/contract/entities/custos'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { deleteRates, insertRates, listRates, lockRates } from './repository.ts'

/** Replaces the prices of the installation. Counted messages keep theirs. */
export function saveRates(
  deps: Pick<Deps, 'db' | 'ids' | 'clock'>,
  actor: RequestSession,
  tarifas: readonly Tarifa[],
): Promise<Tarifa[]> {
  return deps.db.transaction('*', async (tx) => {
    await lockRates(tx, {})
    await deleteRates(tx, {})
    if (tarifas.length > 0) await insertRates(tx, { i: tarifas })
    const detalhe = tarifas.length === 1 ? '1 tarifa' : `${tarifas.length} tarifas`
    await recordAuditoria(tx, deps, { acao: 'tarifasSalvas', quem: actor, detalhe })
    return listRates(tx, {})
  })
}
