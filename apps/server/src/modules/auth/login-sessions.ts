import { ACESSOS_DIAS, SESSAO_LEMBRAR_MS, SESSAO_MS } from '@balcao/contract/constants'
import type { MetodoLogin } from '@balcao/contract/entities/identidade'
import * as z from 'zod/mini'
import { contaId, rawSql, sql, value } from '#db/statement/sql.ts'
import { manyRows, noRows, oneRow } from '#db/statement/statement.ts'
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
const usuarioId = value('usuarioId', 'uuid')
const now = value('now', 'timestamptz')
const theSession = sql`token_hash = decode(${value('tokenHash', 'text')}, 'hex')`

/** `aparelhoNovo`: the person logged in before, and never with this browser and system. */
const insertSession = oneRow(
  'auth: insert session',
  insertedSchema,
  sql`insert into sessoes
        (token_hash, usuario_id, criada_em, ultimo_uso, confirmada_em, expira_em, ip, agente, aparelho, metodo)
      select ${value('hash', 'bytea')}, u.id, ${now}, ${now}, ${now},
        least(${value('wanted', 'timestamptz')}, ${now} + make_interval(hours => c.sessao_horas)), ${value('ip', 'text')},
        ${value('agente', 'text')}, ${value('aparelho', 'text')}, ${value('metodo', 'text')}
        from usuarios u join contas c on c.id = u.conta_id where u.id = ${usuarioId}
      returning expira_em,
        exists (select from sessoes s where s.usuario_id = ${usuarioId} and s.aparelho <> '')
          and not exists (select from sessoes s where s.usuario_id = ${usuarioId} and s.aparelho = ${value('aparelho', 'text')})
        as aparelho_novo`,
)

export async function insertLoginSession(
  tx: Tx,
  { ids, clock }: Pick<Deps, 'ids' | 'clock'>,
  { usuarioId, lembrar, ip, agente, metodo = 'senha' }: NewLoginSession,
): Promise<{ token: string } & z.output<typeof insertedSchema>> {
  const token = ids.token()
  const now = clock.now()
  const inserted = await insertSession(tx, {
    hash: hashToken(token),
    usuarioId,
    now,
    wanted: new Date(now.getTime() + (lembrar ? SESSAO_LEMBRAR_MS : SESSAO_MS)),
    ip: ip.slice(0, IP_MAX),
    agente,
    aparelho: deviceOf(agente),
    metodo,
  })
  if (inserted === null) throw new AppError('semSessao')
  return { token, ...inserted }
}

const confirmSession = noRows(
  'auth: confirm session',
  sql`update sessoes set confirmada_em = ${now} where ${theSession}`,
)

/** Takes effect on all nodes before the answer. */
export async function confirmLoginSession(
  tx: Tx,
  { clock, forgetSessions }: Pick<Deps, 'clock' | 'forgetSessions'>,
  tokenHash: string,
): Promise<void> {
  await confirmSession(tx, { tokenHash, now: clock.now() })
  tx.afterCommit(() => forgetSessions())
}

const ofConta = sql`usuario_id in (select id from usuarios where conta_id = ${contaId})`

export const shortenLoginSessions = noRows(
  'auth: shorten sessions',
  sql`update sessoes set expira_em = criada_em + make_interval(hours => ${value('hours', 'int')})
      where revogada_em is null and expira_em > criada_em + make_interval(hours => ${value('hours', 'int')})
        and ${ofConta}`,
)

/** `tokenHash` and `exceto` are hexadecimal. */
type SessionSelector =
  | { readonly tokenHash: string }
  | { readonly usuarioId: string; readonly exceto?: string }
  | { readonly contaId: string }

/** Closes their sockets after the commit. */
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

const endAlive = sql`update sessoes set revogada_em = ${now} where revogada_em is null and`

const endSession = noRows('auth: end session', sql`${endAlive} ${theSession}`)

const endSessionsOfConta = noRows('auth: end sessions of conta', sql`${endAlive} ${ofConta}`)

const endSessionsOfUsuario = noRows(
  'auth: end sessions of usuario',
  sql`${endAlive} usuario_id = ${usuarioId} and token_hash <> decode(${value('exceto', 'text')}, 'hex')`,
)

const cancelChallengesOfConta = noRows('auth: cancel challenges of conta', sql`delete from desafios where ${ofConta}`)

/** In the database only: a server would keep their sockets and its cache. */
export async function endLoginSessions(tx: Tx, now: Date, selector: SessionSelector): Promise<void> {
  if ('tokenHash' in selector) await endSession(tx, { ...selector, now })
  else if ('contaId' in selector) {
    await endSessionsOfConta(tx, { ...selector, now })
    await cancelChallengesOfConta(tx, selector)
  } else {
    await endSessionsOfUsuario(tx, { exceto: '', ...selector, now })
    await cancelChallenges(tx, selector)
  }
}

const SESSIONS_MAX = 50

const listOldest = manyRows(
  'auth: list oldest sessions',
  z.object({ tokenHash: z.string() }),
  sql`select encode(token_hash, 'hex') as token_hash from sessoes
      where usuario_id = ${usuarioId} and revogada_em is null and expira_em > ${now}
      order by criada_em desc offset ${rawSql(String(SESSIONS_MAX))}`,
)

/** The caller holds the lock of the row of the usuario. */
export async function endOldestSessions(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'realtime' | 'forgetSessions'>,
  usuarioId: string,
): Promise<void> {
  const oldest = await listOldest(tx, { usuarioId, now: deps.clock.now() })
  for (const session of oldest) await revokeLoginSessions(tx, deps, session)
}

const DAY_MS = 24 * 3_600_000

const deleteOld = (table: string, end: string) =>
  noRows(
    `auth: delete old ${table}`,
    sql`delete from ${rawSql(table)} where ctid = any (array(
          select ctid from ${rawSql(table)} where ${rawSql(end)} < ${value('before', 'timestamptz')} limit ${value('limit', 'int')}))`,
  )

const deleteOldAttempts = deleteOld('tentativas', 'em')
const deleteOldLinks = deleteOld('redefinicoes_senha', 'expira_em')
const deleteOldChallenges = deleteOld('desafios', 'expira_em')
const deleteOldSessions = deleteOld('sessoes', 'least(expira_em, revogada_em)')

/** Ended sessions stay `ACESSOS_DIAS` (access records, Marco Civil art. 15). At most `limit` rows of each table. */
export async function purgeAccess(tx: Tx, now: Date, limit: number): Promise<number> {
  const daysAgo = (days: number) => ({ before: new Date(now.getTime() - days * DAY_MS), limit })
  const attempts = await deleteOldAttempts(tx, daysAgo(1))
  const links = await deleteOldLinks(tx, daysAgo(1))
  const challenges = await deleteOldChallenges(tx, daysAgo(0))
  return attempts + links + challenges + (await deleteOldSessions(tx, daysAgo(ACESSOS_DIAS)))
}

/** Login tables have no row-level security by conta. */
export const NO_CONTA: readonly string[] = []
