import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { NO_CONTA, revokeLoginSessions } from '#modules/auth/login-sessions.ts'
import { findUsuario, hasSecondFactor } from '#modules/auth/usuario.ts'
import { checkPassword, type PasswordDeps } from './check-password.ts'
import { requireAcceptable } from './password-rule.ts'
import { changePassword } from './reset-password.ts'

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
