import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { revokeLoginSessions } from '#modules/auth/login-sessions.ts'
import { findUsuario, hasSecondFactor, type Identity } from '#modules/auth/usuario.ts'
import { clearTotp } from './enrol-totp.ts'
import { notifyPerson, type ChangeDeps } from './record-change.ts'
import { deletePasskeys } from '#modules/auth/passkeys/passkeys.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

type Target = Pick<Identity, 'id' | 'contaId' | 'nome' | 'email'>

export async function clearSecondFactors(tx: Tx, usuarioId: string): Promise<void> {
  await clearTotp(tx, usuarioId)
  await deletePasskeys(tx, { usuarioId })
  await deleteRecoveryCodes(tx, { usuarioId })
}

/** For a lost phone. Throws `semSegundoFator`. */
export async function removeSecondFactors(
  tx: Tx,
  deps: ChangeDeps,
  actor: RequestSession,
  target: Target,
): Promise<void> {
  const { id, contaId, nome, email } = target
  const person = await findUsuario(tx, { id }, { lock: true })
  if (person === null || !hasSecondFactor(person)) throw new AppError('semSegundoFator')
  await clearSecondFactors(tx, id)
  await revokeLoginSessions(tx, deps, { usuarioId: id })
  await recordAuditoria(tx, deps, { acao: 'segundoFatorRemovido', quem: actor, alvo: { id, nome, email }, contaId })
  await notifyPerson(tx, deps, target, {
    assunto: 'A verificação em duas etapas da sua conta foi removida',
    acontecimento: `${actor.nome} removeu a verificação em duas etapas da sua conta e encerrou as suas sessões.`,
  })
}

export async function endSessionsOf(tx: Tx, deps: ChangeDeps, actor: RequestSession, target: Target): Promise<void> {
  const { id, contaId, nome, email } = target
  await revokeLoginSessions(tx, deps, { usuarioId: id })
  await recordAuditoria(tx, deps, { acao: 'sessoesEncerradas', quem: actor, alvo: { id, nome, email }, contaId })
  await notifyPerson(tx, deps, target, {
    assunto: 'As suas sessões no Balcão foram encerradas',
    acontecimento: `${actor.nome} encerrou as suas sessões. Entre de novo para continuar.`,
  })
}
