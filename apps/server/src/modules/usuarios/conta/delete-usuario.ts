import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { markContaDeleted } from '#modules/contas/index.ts'
import { requireNoLegalHold } from '#modules/lgpd/index.ts'
import { requireNotLastAdmin, lockAdmins, lockUsuario } from '#modules/usuarios/repository.ts'
import { recordAct } from './change-conta.ts'
import { closeConta } from './change-status.ts'

type DeleteUsuarioDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'bots' | 'forgetSessions'>

/**
 * Stops the conta and marks it and its people as deleted. It can be restored for 30 days, and its e-mail addresses
 * stay reserved until it is erased. Throws `naoEncontrado`, `ultimoAdmin` or, under a legal hold, `conflito`.
 */
export async function deleteUsuario(deps: DeleteUsuarioDeps, actor: RequestSession, id: string): Promise<void> {
  await deps.db.transaction('*', async (tx) => {
    await lockAdmins(tx, {})
    const target = await lockUsuario(tx, id)
    await requireNotLastAdmin(tx, target)
    await markContaDeleted(tx, target.contaId, deps.clock.now())
    // The mark locks the conta, as a change of the hold does, so the hold cannot change before the commit.
    await requireNoLegalHold(tx, target.contaId)
    await closeConta(tx, deps, target.contaId)
    await recordAct(tx, deps, { acao: 'usuarioExcluido', quem: actor }, target)
  })
}
