import { ACESSOS_DIAS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'

const DIA_MS = 24 * 3_600_000

/**
 * Deletes links one day after their expiry, attempts after one day, and ended sessions after `ACESSOS_DIAS` (access
 * records, Marco Civil art. 15).
 */
export async function purgeAcessos(tx: Tx, agora: Date): Promise<void> {
  const ontem = new Date(agora.getTime() - DIA_MS)
  const seisMeses = new Date(agora.getTime() - ACESSOS_DIAS * DIA_MS)
  await tx.query('delete from tentativas where em < $1', [ontem])
  await tx.query('delete from redefinicoes_senha where expira_em < $1', [ontem])
  await tx.query('delete from sessoes where least(expira_em, revogada_em) < $1', [seisMeses])
}
