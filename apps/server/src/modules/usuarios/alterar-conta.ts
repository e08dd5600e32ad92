import type { Updateable } from 'kysely'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { ContasTable } from '#db/tables.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { type Alvo, getUsuarioAdmin, lockAlvo, toUsuarioAdmin } from './repository.ts'

export type AlterarDeps = Pick<Deps, 'db' | 'clock' | 'bots' | 'forgetSessions' | 'realtime'>

/** One change of an account by an administrator: it holds from the bot's next message and the panel's next request on. */
export async function alterarConta(
  deps: AlterarDeps,
  usuarioId: string,
  change: (tx: Tx, alvo: Alvo) => Promise<void>,
): Promise<UsuarioAdmin> {
  return deps.db.transaction('*', async (tx) => {
    const alvo = await lockAlvo(tx, usuarioId)
    tx.afterCommit(() => {
      deps.forgetSessions()
      deps.bots.contextoMudou(alvo.contaId)
    })
    await change(tx, alvo)
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), usuarioId))
  })
}

export async function updateConta(tx: Tx, contaId: string, campos: Updateable<ContasTable>): Promise<void> {
  await tx.kysely.updateTable('contas').set(campos).where('id', '=', contaId).execute()
}
