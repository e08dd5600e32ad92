import type { Operador } from '@balcao/contract/entities/operador'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { type InviteDeps, inviteOperador } from './invite.ts'
import { cancelResetLinks } from '#modules/auth/index.ts'
import { lockOperador } from './repository.ts'

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
    await cancelResetLinks(tx, id, deps.clock.now())
    await inviteOperador(tx, deps, session, { id, nome, email })
    await recordAuditoria(tx, deps, { acao: 'conviteReenviado', quem: session, alvo: { id, nome, email } })
    return lockOperador(tx, contaId, id)
  })
}
