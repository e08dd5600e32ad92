import { ACESSOS_DIAS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'

const DAY_MS = 24 * 3_600_000

/**
 * Deletes links one day after their expiry, attempts after one day, and ended sessions after `ACESSOS_DIAS` (access
 * records, Marco Civil art. 15).
 */
export async function purgeAccess(tx: Tx, now: Date): Promise<void> {
  const ontem = new Date(now.getTime() - DAY_MS)
  const seisMeses = new Date(now.getTime() - ACESSOS_DIAS * DAY_MS)
  await tx.query('delete from tentativas where em < $1', [ontem])
  await tx.query('delete from redefinicoes_senha where expira_em < $1', [ontem])
  await tx.query('delete from sessoes where least(expira_em, revogada_em) < $1', [seisMeses])
}
