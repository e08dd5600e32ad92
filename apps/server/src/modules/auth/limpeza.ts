import type { Tx } from '#db/transaction.ts'

const DIA_MS = 24 * 3_600_000

/** What no rule looks at any more: ended sessions after 30 days, used links and old attempts after one. For the nightly job. */
export async function purgeAcessos(tx: Tx, agora: Date): Promise<void> {
  const ontem = new Date(agora.getTime() - DIA_MS)
  const mesPassado = new Date(agora.getTime() - 30 * DIA_MS)
  await tx.query('delete from tentativas where em < $1', [ontem])
  await tx.query('delete from redefinicoes_senha where expira_em < $1', [ontem])
  await tx.query('delete from sessoes where least(expira_em, revogada_em) < $1', [mesPassado])
}
