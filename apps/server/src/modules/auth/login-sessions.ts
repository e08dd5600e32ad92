import { ACESSOS_DIAS, SESSAO_LEMBRAR_MS, SESSAO_MS } from '@balcao/contract/constants'
import type { MetodoLogin } from '@balcao/contract/entities/identidade'
import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { hashToken } from '#security/token.ts'
import { cancelChallenges } from './second-factor/challenges.ts'
import { deviceOf } from './sessions/device.ts'

const IP_MAX = 100

interface NewLoginSession {
  readonly usuarioId: string
  readonly lembrar: boolean
  readonly ip: string
  readonly agente: string
  readonly metodo?: MetodoLogin
}

const insertedSchema = z.object({ expiraEm: z.date(), aparelhoNovo: z.boolean() })

/** `aparelhoNovo`: the person logged in before, and never with this browser and system. */
export async function insertLoginSession(
  tx: Tx,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  { usuarioId, lembrar, ip, agente, metodo = 'senha' }: NewLoginSession,
): Promise<{ token: string } & z.output<typeof insertedSchema>> {
  const token = ids.token()
  const now = clock.now()
  const wanted = new Date(now.getTime() + (lembrar ? SESSAO_LEMBRAR_MS : SESSAO_MS))
  const [inserted] = await tx.rows(
    insertedSchema,
    `insert into sessoes (token_hash, usuario_id, criada_em, ultimo_uso, confirmada_em, expira_em, ip, agente, aparelho, metodo)
     select $1, u.id, $3::timestamptz, $3, $3, least($4, $3 + make_interval(hours => c.sessao_horas)), $5, $6, $7, $8
       from usuarios u join contas c on c.id = u.conta_id where u.id = $2
     returning expira_em as "expiraEm",
       exists (select from sessoes s where s.usuario_id = $2 and s.aparelho <> '')
         and not exists (select from sessoes s where s.usuario_id = $2 and s.aparelho = $7) as "aparelhoNovo"`,
    [hashToken(token), usuarioId, now, wanted, ip.slice(0, IP_MAX), agente, deviceOf(agente), metodo],
  )
  if (inserted === undefined) throw new AppError('semSessao')
  return { token, ...inserted }
}

/** The person of the session proved the own identity now. Takes effect on all nodes before the answer. */
export async function confirmLoginSession(
  tx: Tx,
  { clock, forgetSessions }: Pick<Deps, 'clock' | 'forgetSessions'>,
  tokenHash: string,
): Promise<void> {
  await tx.kysely
    .updateTable('sessoes')
    .set({ confirmadaEm: clock.now() })
    .where('tokenHash', '=', Buffer.from(tokenHash, 'hex'))
    .execute()
  tx.afterCommit(() => forgetSessions())
}

/** The sessions of the conta end at the latest this long after their login. */
export async function shortenLoginSessions(tx: Tx, contaId: string, hours: number): Promise<void> {
  await tx.query(
    `update sessoes set expira_em = criada_em + make_interval(hours => $2)
      where revogada_em is null and expira_em > criada_em + make_interval(hours => $2)
        and usuario_id in (select id from usuarios where conta_id = $1)`,
    [contaId, hours],
  )
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

/**
 * Ends sessions, and logins between two steps, in the database only. A server would keep their sockets and its cache.
 */
export async function endLoginSessions(tx: Tx, now: Date, selector: SessionSelector): Promise<void> {
  const alive = tx.kysely.updateTable('sessoes').set({ revogadaEm: now }).where('revogadaEm', 'is', null)
  const people = tx.kysely.selectFrom('usuarios').select('id')
  if ('tokenHash' in selector) {
    await alive.where('tokenHash', '=', Buffer.from(selector.tokenHash, 'hex')).execute()
  } else if ('contaId' in selector) {
    const ofConta = people.where('contaId', '=', selector.contaId)
    await alive.where('usuarioId', 'in', ofConta).execute()
    await tx.kysely.deleteFrom('desafios').where('usuarioId', 'in', ofConta).execute()
  } else {
    await alive
      .where('usuarioId', '=', selector.usuarioId)
      .where('tokenHash', '<>', Buffer.from(selector.exceto ?? '', 'hex'))
      .execute()
    await cancelChallenges(tx, selector.usuarioId)
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
 * Deletes expired challenges, links one day after their expiry, attempts after one day, and ended sessions after `ACESSOS_DIAS` (access
 * records, Marco Civil art. 15). Deletes at most `limit` rows of each table and returns the number of rows.
 */
export async function purgeAccess(tx: Tx, now: Date, limit: number): Promise<number> {
  const yesterday = new Date(now.getTime() - DAY_MS)
  const sixMonthsAgo = new Date(now.getTime() - ACESSOS_DIAS * DAY_MS)
  let deleted = 0
  for (const [table, isOld, before] of [
    ['tentativas', 'em < $1', yesterday],
    ['redefinicoes_senha', 'expira_em < $1', yesterday],
    ['desafios', 'expira_em < $1', now],
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
