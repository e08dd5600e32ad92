import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { NO_CONTA, revokeLoginSessions } from '#modules/auth/login-sessions.ts'
import { findUsuario, hasSecondFactor } from '#modules/auth/usuario.ts'
import { updateUsuario } from '#modules/contas/index.ts'
import { hashToken } from '#security/token.ts'
import { requireAcceptable } from './password-rule.ts'

type ResetDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'passwords' | 'realtime' | 'forgetSessions'>

/**
 * Sets the new password with a reset link, valid once, and ends all sessions of the usuario. Throws
 * `tokenInvalido`.
 */
export async function resetPassword(
  deps: ResetDeps,
  { token, senha, ip }: { readonly token: string; readonly senha: string; readonly ip: string },
): Promise<void> {
  const tokenHash = hashToken(token)
  // Checked before hashing, so an invalid link costs no Argon2 hash.
  const valid = await deps.db.transaction(NO_CONTA, (tx) => findValidLink(tx, deps, tokenHash))
  if (valid === null) throw new AppError('tokenInvalido')
  await deps.db.transaction(NO_CONTA, async (tx) => {
    const person = await findUsuario(tx, { id: valid })
    if (person === null) throw new AppError('tokenInvalido')
    await requireAcceptable(tx, senha, { ...person, segundoFator: hasSecondFactor(person) })
  })
  const senhaHash = await deps.passwords.hash(senha, ip)

  await deps.db.transaction(NO_CONTA, async (tx) => {
    const person = await tx.kysely
      .selectFrom('usuarios')
      .select(['contaId', 'nome', 'email'])
      .where('id', '=', valid)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const usuarioId = await findValidLink(tx, deps, tokenHash)
    if (usuarioId === null) throw new AppError('tokenInvalido')
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
  await cancelResetLinks(tx, usuarioId, clock.now())
}

/** Open links and invitations of the usuario stop working. */
export async function cancelResetLinks(tx: Tx, usuarioId: string, at: Date): Promise<void> {
  await tx.kysely
    .updateTable('redefinicoesSenha')
    .set({ usadaEm: at })
    .where('usuarioId', '=', usuarioId)
    .where('usadaEm', 'is', null)
    .execute()
}

async function findValidLink(tx: Tx, { clock }: Pick<Deps, 'clock'>, tokenHash: Buffer): Promise<string | null> {
  const line = await tx.kysely
    .selectFrom('redefinicoesSenha')
    .innerJoin('usuarios', 'usuarios.id', 'redefinicoesSenha.usuarioId')
    .innerJoin('contas', 'contas.id', 'usuarios.contaId')
    .select('usuarios.id')
    .where('redefinicoesSenha.tokenHash', '=', tokenHash)
    .where('redefinicoesSenha.usadaEm', 'is', null)
    .where('redefinicoesSenha.expiraEm', '>', clock.now())
    .where('usuarios.excluidoEm', 'is', null)
    .where('contas.mudanca', 'is', null)
    .executeTakeFirst()
  return line?.id ?? null
}
