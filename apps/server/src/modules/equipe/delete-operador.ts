import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { returnConversasToQueue } from '#modules/atendimento/index.ts'
import { clearSecondFactors, revokeLoginSessions } from '#modules/auth/index.ts'
import { updateOperador } from '#modules/contas/index.ts'
import { lockOperador } from './repository.ts'

/** Deletes an operador. Mensagens keep the name. Throws `naoEncontrado`. */
export async function deleteOperador(
  deps: Pick<Deps, 'db' | 'ids'> & ReleaseDeps,
  actor: RequestSession,
  id: string,
): Promise<void> {
  const { contaId } = actor
  await deps.db.transaction(contaId, async (tx) => {
    const { nome, email } = await lockOperador(tx, contaId, id)
    // The name is kept, and the e-mail can be registered again.
    await updateOperador(tx, { contaId, id, fields: { excluidoEm: deps.clock.now(), status: 'inativo' } })
    await clearSecondFactors(tx, id)
    await releaseOperador(tx, deps, contaId, id)
    await recordAuditoria(tx, deps, { acao: 'operadorRemovido', quem: actor, alvo: { id, nome, email } })
  })
}

export type ReleaseDeps = Pick<Deps, 'clock' | 'realtime' | 'forgetSessions'>

export async function releaseOperador(tx: Tx, deps: ReleaseDeps, contaId: string, operadorId: string): Promise<void> {
  await revokeLoginSessions(tx, deps, { usuarioId: operadorId })
  await returnConversasToQueue(tx, deps, contaId, operadorId)
}
