import type { AcaoAuditoria } from '@balcao/contract/entities/auditoria'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { contextChanges } from '#modules/contas/index.ts'
import {
  type UsuarioRef,
  getUsuarioAdmin,
  lockUsuario,
  toUsuarioAdmin,
  type UsuarioWithUso,
} from '#modules/usuarios/repository.ts'

export type ChangeContaDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'bots' | 'forgetSessions' | 'realtime'>

export interface ContaChange {
  readonly acao: AcaoAuditoria
  readonly quem: RequestSession
  readonly id: string
  /** Applies the change and returns the detail for the audit record. */
  readonly apply: (tx: Tx, target: UsuarioRef, before: UsuarioWithUso) => Promise<string>
}

/**
 * Applies one change of a conta by an administrator. It takes effect with the next message of the bot and the next
 * request of the panel.
 */
export async function changeConta(
  deps: ChangeContaDeps,
  { acao, quem, id, apply }: ContaChange,
): Promise<UsuarioAdmin> {
  return deps.db.transaction('*', async (tx) => {
    const target = await lockUsuario(tx, id)
    await contextChanges(tx, deps.bots, target.contaId)
    // Before the callbacks of `apply`, which disconnect sockets.
    tx.afterCommit(() => deps.forgetSessions())
    const detalhe = await apply(tx, target, await getUsuarioAdmin(tx, deps.clock.now(), id))
    await recordAct(tx, deps, { acao, quem, detalhe }, target)
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}

export function recordAct(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'clock'>,
  act: { readonly acao: AcaoAuditoria; readonly quem: RequestSession; readonly detalhe?: string },
  { id, nome, email, contaId }: Pick<UsuarioRef, 'id' | 'nome' | 'email' | 'contaId'>,
): Promise<void> {
  return recordAuditoria(tx, deps, { ...act, alvo: { id, nome, email }, contaId })
}
