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
  tx.afterCommit(async () => {
    // Clears the cache first, so a browser that reconnects immediately finds its session ended.
    await Promise.all([deps.forgetSessions(), deps.realtime.disconnect(selector)])
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

/** Each session has its own limit of requests. */
const SESSIONS_MAX = 50

/** Ends the oldest live sessions of a usuario beyond 50. The caller holds the lock of its row. */
export async function endOldestSessions(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'realtime' | 'forgetSessions'>,
  usuarioId: string,
): Promise<void> {
  const oldest = await tx.kysely
    .selectFrom('sessoes')
    .select('tokenHash')
    .where('usuarioId', '=', usuarioId)
    .where('revogadaEm', 'is', null)
    .where('expiraEm', '>', deps.clock.now())
    .orderBy('criadaEm', 'desc')
    .offset(SESSIONS_MAX)
    .execute()
  for (const { tokenHash } of oldest) await revokeLoginSessions(tx, deps, { tokenHash: tokenHash.toString('hex') })
}

const DAY_MS = 24 * 3_600_000

/**
 * Deletes links one day after their expiry, attempts after one day, and ended sessions after `ACESSOS_DIAS` (access
 * records, Marco Civil art. 15). Deletes at most `limit` rows of each table and returns the number of rows.
 */
export async function purgeAccess(tx: Tx, now: Date, limit: number): Promise<number> {
  const yesterday = new Date(now.getTime() - DAY_MS)
  const sixMonthsAgo = new Date(now.getTime() - ACESSOS_DIAS * DAY_MS)
  let deleted = 0
  for (const [table, isOld, before] of [
    ['tentativas', 'em < $1', yesterday],
    ['redefinicoes_senha', 'expira_em < $1', yesterday],
    ['sessoes', 'least(expira_em, revogada_em) < $1', sixMonthsAgo],
  ] as const) {
    const { rowCount } = await tx.query(
      `delete from ${table} where ctid = any (array(select ctid from ${table} where ${isOld} limit $2))`,
      [before, limit],
    )
    deleted += rowCount ?? 0
  }
  return deleted
}

/** Login tables have no row-level security by conta, so transactions on them need access to no conta. */
export const NO_CONTA: readonly string[] = []
