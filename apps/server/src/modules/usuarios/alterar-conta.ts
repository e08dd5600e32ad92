import type { Updateable } from 'kysely'
import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { ContasTable } from '#db/tables.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Pedinte } from '#http/authentication.ts'
import { auditar } from './auditar.ts'
import { type Alvo, getUsuarioAdmin, lockAlvo, toUsuarioAdmin, type UsuarioComUso } from './repository.ts'

export type AlterarDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'bots' | 'forgetSessions' | 'realtime'>

export interface Alteracao {
  readonly acao: AcaoAuditoria
  readonly quem: Pedinte
  readonly id: string
  /** Applies the change and returns the detail for the audit record. */
  readonly fazer: (tx: Tx, alvo: Alvo, antes: UsuarioComUso) => Promise<string>
}

/**
 * Applies one change of a conta by an administrator. It takes effect with the next message of the bot and the next
 * request of the panel.
 */
export async function alterarConta(deps: AlterarDeps, { acao, quem, id, fazer }: Alteracao): Promise<UsuarioAdmin> {
  return deps.db.transaction('*', async (tx) => {
    const alvo = await lockAlvo(tx, id)
    tx.afterCommit(() => {
      deps.forgetSessions()
      deps.bots.contextoMudou(alvo.contaId)
    })
    const detalhe = await fazer(tx, alvo, await getUsuarioAdmin(tx, deps.clock.now(), id))
    await auditar(tx, deps, { acao, quem, detalhe }, alvo)
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}

export async function updateConta(tx: Tx, contaId: string, campos: Updateable<ContasTable>): Promise<void> {
  await tx.kysely.updateTable('contas').set(campos).where('id', '=', contaId).execute()
}
