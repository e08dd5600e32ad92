import { REDEFINICAO_MS } from '@balcao/contract/constants'
import { sql, value } from '#db/statement/sql.ts'
import { noRows } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { countAttempt, resetLimits } from '#modules/auth/attempts.ts'
import { NO_CONTA } from '#modules/auth/login-sessions.ts'
import { findUsuario } from '#modules/auth/usuario.ts'
import { enqueueMail, resetPasswordMail } from '#modules/emails/index.ts'
import { hashToken } from '#security/token.ts'

interface ResetLink {
  readonly validadeMs: number
  readonly convite: boolean
}

const insertLink = noRows(
  'auth: insert reset link',
  sql`insert into redefinicoes_senha (token_hash, usuario_id, criada_em, expira_em, convite)
      select ${value('tokenHash', 'bytea')}, id, ${value('now', 'timestamptz')}, ${value('expiraEm', 'timestamptz')},
        ${value('convite', 'bool')} from usuarios where id = ${value('usuarioId', 'uuid?')}`,
)

/** Only the hash of the token is stored. Without `usuarioId` no row is written, but the response time is the same. */
export async function issueResetLink(
  tx: Tx,
  { ids, clock, settings }: Pick<Deps, 'ids' | 'clock' | 'settings'>,
  usuarioId: string | null,
  { validadeMs, convite }: ResetLink = { validadeMs: REDEFINICAO_MS, convite: false },
): Promise<string> {
  const token = ids.token()
  const now = clock.now()
  const expiraEm = new Date(now.getTime() + validadeMs)
  await insertLink(tx, { tokenHash: hashToken(token), usuarioId, now, expiraEm, convite })
  return `${settings.urlPublica}/redefinir-senha?token=${token}`
}

/**
 * Answers a known and an unknown e-mail alike. A stranger can neither fill the audit trail nor plant personal data in
 * it. Throws `muitasTentativas`.
 */
export async function requestReset(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'vault' | 'mailQueued' | 'metrics' | 'settings'>,
  email: string,
  ip: string,
): Promise<void> {
  await deps.db.transaction(NO_CONTA, async (tx) => {
    await countAttempt(tx, deps, resetLimits(deps, email, ip))
    const usuario = await findUsuario(tx, { email })
    const { id: usuarioId, contaId, nome } = usuario ?? { id: null, contaId: null, nome: '' }
    const link = await issueResetLink(tx, deps, usuarioId)
    await enqueueMail(tx, deps, {
      tipo: 'redefinicao',
      para: email,
      ...(contaId === null ? { simulate: true } : { contaId }),
      ...resetPasswordMail({ nome: usuario?.nome ?? email, link }),
    })
    if (usuario === null) return tx.afterCommit(() => deps.metrics.countUnknownReset())
    await recordAuditoria(tx, deps, { acao: 'redefinicaoPedida', quem: { usuarioId, contaId, nome, email, ip } })
  })
}
