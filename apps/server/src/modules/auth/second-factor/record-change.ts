import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { revokeLoginSessions } from '#modules/auth/login-sessions.ts'
import { findUsuario, hasSecondFactor, type Identity } from '#modules/auth/usuario.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { enqueueMail, securityMail } from '#modules/emails/index.ts'
import { deleteRecoveryCodes } from './recovery-codes.ts'

export type ChangeDeps = NoticeDeps & Pick<Deps, 'realtime' | 'forgetSessions'>

/**
 * With the first factor all other sessions end, because they were opened without it. With the last one the recovery
 * codes end.
 */
export async function recordChange(
  tx: Tx,
  deps: ChangeDeps,
  session: RequestSession,
  { before, text }: { readonly before: Identity | null; readonly text: string },
): Promise<void> {
  const { usuarioId, tokenHash } = session
  await recordAuditoria(tx, deps, { acao: 'segundoFatorAlterado', quem: session, detalhe: text })
  await notifyPerson(tx, deps, session, {
    assunto: 'A verificação em duas etapas da sua conta mudou',
    acontecimento: `a verificação em duas etapas da sua conta mudou: ${text.toLowerCase()}.`,
  })
  const now = await findUsuario(tx, { id: usuarioId })
  const [had, has] = [before !== null && hasSecondFactor(before), now !== null && hasSecondFactor(now)]
  if (!had && has) return revokeLoginSessions(tx, deps, { usuarioId, exceto: tokenHash })
  if (!has) await deleteRecoveryCodes(tx, { usuarioId })
  tx.afterCommit(async () => {
    await deps.forgetSessions()
    // The sockets of a person who lacks a demanded factor are refused when they reconnect.
    if (!has) await deps.realtime.disconnect({ usuarioId })
  })
}

export type NoticeDeps = Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued' | 'settings'>

/** `acontecimento` is the end of a sentence that starts with the time. */
export async function notifyPerson(
  tx: Tx,
  deps: NoticeDeps,
  { contaId, nome, email }: Pick<Identity, 'contaId' | 'nome' | 'email'>,
  { assunto, acontecimento }: { readonly assunto: string; readonly acontecimento: string },
): Promise<void> {
  const timeZone = await readTimeZone(tx, { contaId })
  const at = deps.clock.now().toLocaleString('pt-BR', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const { urlPublica } = deps.settings
  const mail = securityMail({ nome, assunto, acontecimento: `Em ${at}, ${acontecimento}`, urlPublica })
  await enqueueMail(tx, deps, { tipo: 'seguranca', para: email, contaId, ...mail })
}
