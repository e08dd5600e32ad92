import type { Deps } from '#deps.ts'
import type { Pedinte } from '#http/authentication.ts'
import { closeAccount } from './alterar-status.ts'
import { auditar } from './auditar.ts'
import { checkNotLastAdmin, lockAdmins, lockAlvo } from './repository.ts'

type ExcluirDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'bots' | 'forgetSessions'>

/**
 * Stops the conta and marks it and its people as deleted. It can be restored for 30 days, and its e-mail addresses
 * stay reserved until it is erased. Throws `naoEncontrado` or `ultimoAdmin`.
 */
export async function excluirUsuario(deps: ExcluirDeps, quem: Pedinte, id: string): Promise<void> {
  await deps.db.transaction('*', async (tx) => {
    await lockAdmins(tx)
    const alvo = await lockAlvo(tx, id)
    await checkNotLastAdmin(tx, alvo)
    const agora = deps.clock.now()
    await tx.kysely
      .updateTable('usuarios')
      .set({ excluidoEm: agora, voltaComConta: true })
      .where('contaId', '=', alvo.contaId)
      .where('excluidoEm', 'is', null)
      .execute()
    await tx.kysely.updateTable('contas').set({ excluidaEm: agora }).where('id', '=', alvo.contaId).execute()
    await closeAccount(tx, deps, alvo.contaId)
    await auditar(tx, deps, { acao: 'usuarioExcluido', quem }, alvo)
  })
}
