import type { Operador } from '@balcao/contract/entities/operador'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession, LoginSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { cancelResetLinks, countAttempt, issueResetLink, conviteLimits } from '#modules/auth/index.ts'
import { enqueueMail, conviteMail } from '#modules/emails/index.ts'
import { lockOperador } from './repository.ts'

/** The text of the mail names the same 7 days. */
const CONVITE_MS = 7 * 24 * 3_600_000

export type InviteDeps = Pick<Deps, 'ids' | 'clock' | 'vault' | 'mailQueued' | 'settings'>

/**
 * Queues a mail with a link for the first password, valid once. It is sent even with notifications off. Throws
 * `muitasTentativas`.
 */
export async function inviteOperador(
  tx: Tx,
  deps: InviteDeps,
  { contaId, nome: dono, empresa }: LoginSession,
  person: { readonly id: string; readonly nome: string; readonly email: string },
): Promise<void> {
  await countAttempt(tx, deps, conviteLimits(deps, person.email, contaId))
  const link = await issueResetLink(tx, deps, person.id, { validadeMs: CONVITE_MS, convite: true })
  const mail = conviteMail({ nome: person.nome, email: person.email, dono, empresa, link: `${link}&convite=1` })
  await enqueueMail(tx, deps, { tipo: 'convite', para: person.email, contaId, ...mail })
}

const INACTIVE_TEXT = 'Esta pessoa está desativada. Ative antes de reenviar o convite.'

/**
 * Sends a new invitation and cancels the earlier link. Throws `naoEncontrado`, `semConvite` if no invitation is
 * pending or the operador is inactive, or `muitasTentativas`.
 */
export async function resendConvite(
  deps: Pick<Deps, 'db'> & InviteDeps,
  session: RequestSession,
  id: string,
): Promise<Operador> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const { nome, email, status, convitePendente } = await lockOperador(tx, contaId, id)
    if (!convitePendente) throw new AppError('semConvite')
    if (status !== 'ativo') throw new AppError('semConvite', { erro: INACTIVE_TEXT })
    await cancelResetLinks(tx, { usuarioId: id, at: deps.clock.now() })
    await inviteOperador(tx, deps, session, { id, nome, email })
    await recordAuditoria(tx, deps, { acao: 'conviteReenviado', quem: session, alvo: { id, nome, email } })
    return lockOperador(tx, contaId, id)
  })
}
