import * as z from 'zod/mini'
import type { Convite } from '@balcao/contract/entities/operador'
import { statusUsuarioSchema } from '@balcao/contract/entities/usuario'
import { sql, value } from '#db/statement/sql.ts'
import { noRows, oneRow } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { hashToken } from '#security/token.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { NO_CONTA, revokeLoginSessions } from '#modules/auth/login-sessions.ts'
import { findUsuario, hasSecondFactor } from '#modules/auth/usuario.ts'
import { updateUsuario } from '#modules/contas/index.ts'
import { countAttempt, forgetAttempt, conviteReadLimit } from '#modules/auth/attempts.ts'
import { requireAcceptable } from './password-rule.ts'
import { checkPassword, type PasswordDeps } from './check-password.ts'

type ResetDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'passwords' | 'realtime' | 'forgetSessions'>

const findValidLink = oneRow(
  'auth: find valid link',
  z.object({ id: z.string() }),
  sql`select u.id from redefinicoes_senha r join usuarios u on u.id = r.usuario_id join contas c on c.id = u.conta_id
      where r.token_hash = ${value('tokenHash', 'bytea')} and r.usada_em is null and r.expira_em > ${value('now', 'timestamptz')}
        and u.excluido_em is null and c.mudanca is null`,
)

const lockPerson = oneRow(
  'auth: lock person',
  z.object({ contaId: z.string(), nome: z.string(), email: z.string() }),
  sql`select conta_id, nome, email from usuarios where id = ${value('id', 'uuid')} for no key update`,
)

/** Ends all sessions of the usuario. Throws `tokenInvalido`. */
export async function resetPassword(
  deps: ResetDeps,
  { token, senha, ip }: { readonly token: string; readonly senha: string; readonly ip: string },
): Promise<void> {
  const tokenHash = hashToken(token)
  // Checked before hashing, so an invalid link costs no Argon2 hash.
  const valid = await deps.db.transaction(NO_CONTA, (tx) => findValidLink(tx, { tokenHash, now: deps.clock.now() }))
  if (valid === null) throw new AppError('tokenInvalido')
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const person = await findUsuario(tx, valid)
    if (person === null) throw new AppError('tokenInvalido')
    await requireAcceptable(tx, senha, { ...person, segundoFator: hasSecondFactor(person) })
  })
  const senhaHash = await deps.passwords.hash(senha, ip)

  await deps.db.transaction(NO_CONTA, async (tx) => {
    const person = await lockPerson(tx, valid)
    const stillValid = await findValidLink(tx, { tokenHash, now: deps.clock.now() })
    if (person === null || stillValid === null) throw new AppError('tokenInvalido')
    const { id: usuarioId } = stillValid
    await changePassword(tx, deps, usuarioId, senhaHash)
    await revokeLoginSessions(tx, deps, { usuarioId })
    await recordAuditoria(tx, deps, { acao: 'senhaRedefinida', quem: { ...person, usuarioId, ip } })
  })
}

export async function changePassword(
  tx: Tx,
  { clock }: Pick<Deps, 'clock'>,
  usuarioId: string,
  senhaHash: string,
): Promise<void> {
  await updateUsuario(tx, { id: usuarioId, fields: { senhaHash } })
  await cancelResetLinks(tx, { usuarioId, at: clock.now() })
}

export const cancelResetLinks = noRows(
  'auth: cancel reset links',
  sql`update redefinicoes_senha set usada_em = ${value('at', 'timestamptz')}
      where usuario_id = ${value('usuarioId', 'uuid')} and usada_em is null`,
)

type ChangePasswordDeps = Pick<Deps, 'ids' | 'realtime' | 'forgetSessions'> & PasswordDeps

/** Ends all other sessions of the usuario. Throws `senhaAtualIncorreta`. */
export async function changeOwnPassword(
  deps: ChangePasswordDeps,
  session: RequestSession,
  input: { readonly senhaAtual: string; readonly novaSenha: string },
): Promise<void> {
  const { usuarioId, tokenHash, email, ip } = session
  const parsed = await deps.db.transaction(NO_CONTA, (tx) => findUsuario(tx, { id: usuarioId }))
  const matches = await checkPassword(deps, parsed?.senhaHash ?? null, { email, senha: input.senhaAtual, ip })
  if (!matches || parsed === null) {
    const detalhe = 'A senha atual não confere'
    await deps.db.transaction(NO_CONTA, (tx) =>
      recordAuditoria(tx, deps, { acao: 'senhaTrocada', quem: session, resultado: 'recusado', detalhe }),
    )
    throw new AppError('senhaAtualIncorreta')
  }
  const owner = { ...parsed, segundoFator: hasSecondFactor(parsed) }
  await deps.db.transaction(NO_CONTA, (tx) => requireAcceptable(tx, input.novaSenha, owner, 'novaSenha'))
  const senhaHash = await deps.passwords.hash(input.novaSenha, ip)

  await deps.db.transaction(NO_CONTA, async (tx) => {
    const current = await findUsuario(tx, { id: usuarioId }, { lock: true })
    if (current?.senhaHash !== parsed.senhaHash) throw new AppError('senhaAtualIncorreta')
    await changePassword(tx, deps, usuarioId, senhaHash)
    await revokeLoginSessions(tx, deps, { usuarioId, exceto: tokenHash })
    await recordAuditoria(tx, deps, { acao: 'senhaTrocada', quem: session })
  })
}

const findConvite = oneRow(
  'auth: find convite',
  z.object({
    empresa: z.string(),
    email: z.string(),
    status: statusUsuarioSchema,
    expiraEm: z.date(),
    usadaEm: z.nullable(z.date()),
  }),
  sql`select c.empresa, u.email, u.status, r.expira_em, r.usada_em
      from redefinicoes_senha r join usuarios u on u.id = r.usuario_id join contas c on c.id = u.conta_id
      where r.token_hash = ${value('tokenHash', 'bytea')} and r.convite and u.excluido_em is null`,
)

/**
 * Only failed reads count against the limit per IP. Throws `conviteNaoEncontrado`, `conviteUsado`, `conviteVencido` or
 * `muitasTentativas`.
 */
export async function readConvite(
  deps: Pick<Deps, 'db' | 'clock'>,
  { token, ip }: { readonly token: string; readonly ip: string },
): Promise<Convite> {
  const attempt = await deps.db.transaction(NO_CONTA, (tx) => countAttempt(tx, deps, [conviteReadLimit(ip)]))
  return deps.db.transaction(NO_CONTA, async (tx) => {
    const parsed = await findConvite(tx, { tokenHash: hashToken(token) })
    if (parsed === null) throw new AppError('conviteNaoEncontrado')
    if (parsed.usadaEm !== null || parsed.status !== 'ativo') throw new AppError('conviteUsado')
    if (parsed.expiraEm <= deps.clock.now()) throw new AppError('conviteVencido')
    await forgetAttempt(tx, attempt)
    return { empresa: parsed.empresa, email: parsed.email, expiraEm: parsed.expiraEm.toISOString() }
  })
}
