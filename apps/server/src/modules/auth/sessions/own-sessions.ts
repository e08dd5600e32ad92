import type { Sessao } from '@balcao/contract/entities/identidade'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { NO_CONTA, revokeLoginSessions } from '#modules/auth/login-sessions.ts'
import { deviceOf } from './device.ts'

/** Hexadecimal digits of the hash of the token that name a session: enough to be unique, useless as a token. */
const ID_LENGTH = 32

export async function listSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { usuarioId, tokenHash }: RequestSession,
): Promise<Sessao[]> {
  const rows = await db.transaction(NO_CONTA, (tx) =>
    tx.kysely
      .selectFrom('sessoes')
      .select(['tokenHash', 'criadaEm', 'ultimoUso', 'ip', 'agente', 'metodo'])
      .where('usuarioId', '=', usuarioId)
      .where('revogadaEm', 'is', null)
      .where('expiraEm', '>', clock.now())
      .orderBy('ultimoUso', 'desc')
      .orderBy('criadaEm', 'desc')
      .execute(),
  )
  return rows.map(({ tokenHash: hash, criadaEm, ultimoUso, ip, agente, metodo }) => ({
    id: hash.toString('hex').slice(0, ID_LENGTH),
    atual: hash.toString('hex') === tokenHash,
    criadaEm: criadaEm.toISOString(),
    ultimoUso: ultimoUso.toISOString(),
    ip,
    aparelho: deviceOf(agente),
    metodo,
  }))
}

type EndDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>

/** Throws `naoEncontrado` for a session of another usuario and for one that ended. */
export async function endSession(deps: EndDeps, session: RequestSession, id: string): Promise<void> {
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const tokenHash = await findAlive(tx, deps, session.usuarioId, id)
    if (tokenHash === null) throw new AppError('naoEncontrado')
    await revokeLoginSessions(tx, deps, { tokenHash })
    await recordAuditoria(tx, deps, { acao: 'sessoesEncerradas', quem: session, detalhe: 'Uma sessão própria' })
  })
}

async function findAlive(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  usuarioId: string,
  id: string,
): Promise<string | null> {
  if (!/^[0-9a-f]{32}$/.test(id)) return null
  const { rows } = await tx.query<{ hash: string }>(
    `select encode(token_hash, 'hex') as hash from sessoes
      where usuario_id = $1 and substring(token_hash for 16) = decode($2, 'hex') and revogada_em is null and expira_em > $3`,
    [usuarioId, id, clock.now()],
  )
  return rows[0]?.hash ?? null
}

export async function endOtherSessions(deps: EndDeps, session: RequestSession): Promise<void> {
  const { usuarioId, tokenHash } = session
  await deps.db.transaction(NO_CONTA, async (tx) => {
    await revokeLoginSessions(tx, deps, { usuarioId, exceto: tokenHash })
    await recordAuditoria(tx, deps, { acao: 'sessoesEncerradas', quem: session, detalhe: 'As outras sessões próprias' })
  })
}
