import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { revokeLoginSessions } from '#modules/auth/index.ts'
import { markUnwanted } from '#modules/bot/index.ts'
import { updateUsuario } from '#modules/contas/index.ts'
import { enqueueMail, contaActivatedMail } from '#modules/emails/index.ts'
import {
  type UsuarioRef,
  requireNotLastAdmin,
  getUsuarioAdmin,
  lockAdmins,
  lockUsuario,
  toUsuarioAdmin,
} from '#modules/usuarios/repository.ts'
import { recordAct } from './change-conta.ts'

type StatusDeps = Pick<
  Deps,
  'db' | 'ids' | 'clock' | 'vault' | 'mailQueued' | 'settings' | 'realtime' | 'bots' | 'forgetSessions'
>

/**
 * Activates or deactivates a conta. Deactivation ends its sessions, sockets and bot immediately. Activation queues
 * a mail. Throws `naoEncontrado` or `ultimoAdmin`.
 */
export async function changeStatus(
  deps: StatusDeps,
  actor: RequestSession,
  id: string,
  status: 'ativo' | 'inativo',
): Promise<UsuarioAdmin> {
  return deps.db.transaction('*', async (tx) => {
    await lockAdmins(tx, {})
    const target = await lockUsuario(tx, id)
    if (target.status !== status) {
      if (status === 'ativo') await activateUsuario(tx, deps, target)
      else await deactivateUsuario(tx, deps, target)
      await recordAct(
        tx,
        deps,
        { acao: status === 'ativo' ? 'usuarioAtivado' : 'usuarioDesativado', quem: actor },
        target,
      )
    }
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}

async function activateUsuario(tx: Tx, deps: StatusDeps, ref: UsuarioRef): Promise<void> {
  await updateUsuario(tx, { id: ref.id, fields: { status: 'ativo' } })
  const mail = contaActivatedMail({ nome: ref.nome, urlPublica: deps.settings.urlPublica })
  await enqueueMail(tx, deps, { tipo: 'ativacao', para: ref.email, contaId: ref.contaId, ...mail })
  tx.afterCommit(() => deps.forgetSessions())
}

async function deactivateUsuario(tx: Tx, deps: StatusDeps, ref: UsuarioRef): Promise<void> {
  await requireNotLastAdmin(tx, ref)
  await updateUsuario(tx, { id: ref.id, fields: { status: 'inativo' } })
  await closeConta(tx, deps, ref.contaId)
}

export async function closeConta(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'realtime' | 'bots' | 'forgetSessions'>,
  contaId: string,
): Promise<void> {
  await revokeLoginSessions(tx, deps, { contaId })
  const lines = await markUnwanted(tx, { contaId })
  const linhas = new Set([contaId, ...lines.map(({ linhaId }) => linhaId)])
  tx.afterCommit(async () => {
    for (const linhaId of linhas) await deps.bots.stop({ contaId, linhaId })
  })
}
