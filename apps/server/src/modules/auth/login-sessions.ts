import { ACESSOS_DIAS, SESSAO_LEMBRAR_MS, SESSAO_MS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { hashToken } from '#security/token.ts'

const IP_MAX = 100

export async function insertLoginSession(
  tx: Tx,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  fresh: { readonly usuarioId: string; readonly lembrar: boolean; readonly ip: string; readonly agente: string },
): Promise<{ token: string; expiraEm: Date }> {
  const token = ids.token()
  const criadaEm = clock.now()
  const expiraEm = new Date(criadaEm.getTime() + (fresh.lembrar ? SESSAO_LEMBRAR_MS : SESSAO_MS))
  await tx.kysely
    .insertInto('sessoes')
    .values({
      tokenHash: hashToken(token),
      usuarioId: fresh.usuarioId,
      criadaEm,
      expiraEm,
      ultimoUso: criadaEm,
      ip: fresh.ip.slice(0, IP_MAX),
      agente: fresh.agente,
    })
    .execute()
  return { token, expiraEm }
}

/** `tokenHash` and `exceto` are hexadecimal. */
export type SessionSelector =
  | { readonly tokenHash: string }
  | { readonly usuarioId: string; readonly exceto?: string }
  | { readonly contaId: string }

/** Ends sessions in the transaction and closes their sockets after the commit. */
export async function revokeLoginSessions(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'realtime' | 'forgetSessions'>,
  selector: SessionSelector,
): Promise<void> {
  await endLoginSessions(tx, deps.clock.now(), selector)
  tx.afterCommit(() => {
    // Clears the cache first, so a browser that reconnects immediately finds its session ended.
    deps.forgetSessions()
    deps.realtime.disconnect(selector)
  })
}

/** Ends sessions in the database only. A server would keep their sockets and its cache. */
export async function endLoginSessions(tx: Tx, now: Date, selector: SessionSelector): Promise<void> {
  const alive = tx.kysely.updateTable('sessoes').set({ revogadaEm: now }).where('revogadaEm', 'is', null)
  if ('tokenHash' in selector) {
    await alive.where('tokenHash', '=', Buffer.from(selector.tokenHash, 'hex')).execute()
  } else if ('contaId' in selector) {
    await alive
      .where('usuarioId', 'in', (eb) => eb.selectFrom('usuarios').select('id').where('contaId', '=', selector.contaId))
      .execute()
  } else {
    await alive
      .where('usuarioId', '=', selector.usuarioId)
      .where('tokenHash', '<>', Buffer.from(selector.exceto ?? '', 'hex'))
      .execute()
  }
}

const DAY_MS = 24 * 3_600_000

/**
 * Deletes links one day after their expiry, attempts after one day, and ended sessions after `ACESSOS_DIAS` (access
 * records, Marco Civil art. 15).
 */
export async function purgeAccess(tx: Tx, now: Date): Promise<void> {
  const yesterday = new Date(now.getTime() - DAY_MS)
  const sixMonthsAgo = new Date(now.getTime() - ACESSOS_DIAS * DAY_MS)
  await tx.query('delete from tentativas where em < $1', [yesterday])
  await tx.query('delete from redefinicoes_senha where expira_em < $1', [yesterday])
  await tx.query('delete from sessoes where least(expira_em, revogada_em) < $1', [sixMonthsAgo])
}

/** Login tables have no row-level security by conta, so transactions on them need access to no conta. */
export const NO_CONTA: readonly string[] = []
