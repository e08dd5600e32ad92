import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { Pedinte } from '#http/authentication.ts'
import { revokeSessoes } from '#modules/auth/index.ts'
import { enqueueMail, textoContaAtivada } from '#modules/emails/index.ts'
import { auditar } from './auditar.ts'
import {
  type Alvo,
  checkNotLastAdmin,
  getUsuarioAdmin,
  lockAdmins,
  lockAlvo,
  toUsuarioAdmin,
  unwishBot,
} from './repository.ts'

type StatusDeps = Pick<Deps, 'db' | 'ids' | 'clock' | 'cofre' | 'settings' | 'realtime' | 'bots' | 'forgetSessions'>

/**
 * Activates or deactivates a conta. Deactivation ends its sessions, sockets and bot immediately. Activation queues
 * a mail. Throws `naoEncontrado` or `ultimoAdmin`.
 */
export async function alterarStatus(
  deps: StatusDeps,
  quem: Pedinte,
  id: string,
  status: 'ativo' | 'inativo',
): Promise<UsuarioAdmin> {
  return deps.db.transaction('*', async (tx) => {
    await lockAdmins(tx)
    const alvo = await lockAlvo(tx, id)
    if (alvo.status !== status) {
      if (status === 'ativo') await activate(tx, deps, alvo)
      else await deactivate(tx, deps, alvo)
      await auditar(tx, deps, { acao: status === 'ativo' ? 'usuarioAtivado' : 'usuarioDesativado', quem }, alvo)
    }
    return toUsuarioAdmin(await getUsuarioAdmin(tx, deps.clock.now(), id))
  })
}

async function activate(tx: Tx, deps: StatusDeps, alvo: Alvo): Promise<void> {
  await tx.kysely.updateTable('usuarios').set({ status: 'ativo' }).where('id', '=', alvo.id).execute()
  const carta = textoContaAtivada({ nome: alvo.nome, urlPublica: deps.settings.urlPublica })
  await enqueueMail(tx, deps, { tipo: 'ativacao', para: alvo.email, contaId: alvo.contaId, ...carta })
  tx.afterCommit(() => deps.forgetSessions())
}

async function deactivate(tx: Tx, deps: StatusDeps, alvo: Alvo): Promise<void> {
  await checkNotLastAdmin(tx, alvo)
  await tx.kysely.updateTable('usuarios').set({ status: 'inativo' }).where('id', '=', alvo.id).execute()
  await closeAccount(tx, deps, alvo.contaId)
}

export async function closeAccount(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'realtime' | 'bots' | 'forgetSessions'>,
  contaId: string,
): Promise<void> {
  await revokeSessoes(tx, deps, { contaId })
  await unwishBot(tx, contaId)
  tx.afterCommit(async () => {
    await deps.bots.parar(contaId)
  })
}
