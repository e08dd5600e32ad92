import type { Deps } from '#deps.ts'
import { closeAccount } from './alterar-status.ts'
import { checkNotLastAdmin, lockAdmins, lockAlvo } from './repository.ts'

type ExcluirDeps = Pick<Deps, 'db' | 'clock' | 'realtime' | 'bots' | 'forgetSessions'>

/** The account leaves with everybody in it; their addresses are free again. Throws `naoEncontrado` or `ultimoAdmin`. */
export async function excluirUsuario(deps: ExcluirDeps, id: string): Promise<void> {
  await deps.db.transaction('*', async (tx) => {
    await lockAdmins(tx)
    const alvo = await lockAlvo(tx, id)
    await checkNotLastAdmin(tx, alvo)
    const agora = deps.clock.now()
    await tx.kysely
      .updateTable('usuarios')
      .set({ excluidoEm: agora, status: 'inativo' })
      .where('contaId', '=', alvo.contaId)
      .where('excluidoEm', 'is', null)
      .execute()
    await tx.kysely.updateTable('contas').set({ excluidaEm: agora }).where('id', '=', alvo.contaId).execute()
    await closeAccount(tx, deps, alvo.contaId)
  })
}
