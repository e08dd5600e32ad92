import type { Operador } from '@balcao/contract/entities/operador'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type RequestSession, requireStepUp } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import {
  cancelResetLinks,
  changePassword,
  requireAcceptable,
  revokeLoginSessions,
  clearSecondFactors,
} from '#modules/auth/index.ts'
import { lockConta } from '#modules/configuracao/index.ts'
import { updateOperador } from '#modules/contas/index.ts'
import { returnConversasToQueue } from '#modules/atendimento/index.ts'
import { type InviteDeps, inviteOperador } from './create-operador.ts'
import { lockOperador } from './repository.ts'
import { requireLinhas, requireSetores } from './require-parts.ts'

export interface OperadorChange {
  readonly nome?: string | undefined
  readonly email?: string | undefined
  readonly setores?: readonly string[] | undefined
  readonly linhas?: readonly string[] | undefined
  readonly senha?: string | undefined
  readonly ativo?: boolean | undefined
}

type ChangeOperadorDeps = InviteDeps & ReleaseDeps & Pick<Deps, 'db' | 'passwords'>

/**
 * Changes the given fields. Deactivation ends sessions and sockets immediately and returns the conversas to the
 * queue. Throws `naoEncontrado`, `setorDesconhecido` or `emailJaCadastrado`.
 */
export async function changeOperador(
  deps: ChangeOperadorDeps,
  session: RequestSession,
  id: string,
  change: OperadorChange,
): Promise<Operador> {
  const { contaId } = session
  const { senha } = change
  if (senha !== undefined) {
    requireStepUp(session, deps.clock.now())
    await deps.db.transaction(contaId, (tx) => requireOperadorPassword(tx, session, id, senha))
  }
  const senhaHash = change.senha === undefined ? null : await deps.passwords.hash(change.senha, session.ip)
  try {
    return await deps.db.transaction(contaId, async (tx) => {
      await lockConta(tx, contaId)
      const before = await lockOperador(tx, contaId, id)
      const after = await composeOperador(tx, deps, contaId, before, change)
      const { nome, email, setores, linhas, status } = after
      if (before.email !== email) requireStepUp(session, deps.clock.now())
      await updateOperador(tx, { contaId, id, fields: { nome, email, setores, linhas, status } })
      await changeAccess(tx, deps, session, { antes: before, depois: after, senhaHash })
      if (after.status === 'inativo' && before.status !== 'inativo') await releaseOperador(tx, deps, contaId, id)
      const alvo = { id, nome: after.nome, email: after.email }
      await recordAuditoria(tx, deps, {
        acao: 'operadorAlterado',
        quem: session,
        alvo,
        detalhe: changedFields(before, after, change),
      })
      tx.afterCommit(async () => {
        await deps.forgetSessions()
        // The reconnect updates the name in presence and makes the browser refetch its setores and lines.
        if (before.nome !== after.nome || partsOf(before) !== partsOf(after))
          await deps.realtime.disconnect({ usuarioId: id })
      })
      return lockOperador(tx, contaId, id)
    })
  } catch (error) {
    throw isDuplicateEmail(error) ? new AppError('emailJaCadastrado') : error
  }
}

const partsOf = ({ setores, linhas }: Operador): string => JSON.stringify([setores, linhas])

async function requireOperadorPassword(
  tx: Tx,
  { contaId, empresa }: RequestSession,
  id: string,
  senha: string,
): Promise<void> {
  const operador = await lockOperador(tx, contaId, id)
  await requireAcceptable(tx, senha, { ...operador, empresa, tipo: 'operador' })
}

/**
 * Lists the changed fields without values, because the audit trail keeps names and e-mails only in columns that can
 * be cleared.
 */
function changedFields(before: Operador, after: Operador, { senha }: OperadorChange): string {
  const changed = [
    before.nome === after.nome ? null : 'nome',
    before.email === after.email ? null : 'e-mail',
    before.setores.join() === after.setores.join() ? null : 'setores',
    before.linhas.join() === after.linhas.join() ? null : 'linhas',
    senha === undefined ? null : 'senha',
    before.status === after.status ? null : after.status === 'ativo' ? 'agora ativo' : 'agora inativo',
  ]
  return changed.filter((part) => part !== null).join(', ')
}

async function composeOperador(
  tx: Tx,
  deps: ChangeOperadorDeps,
  contaId: string,
  before: Operador,
  { nome, email, setores, linhas, ativo }: OperadorChange,
): Promise<Operador> {
  return {
    ...before,
    nome: nome ?? before.nome,
    email: email ?? before.email,
    setores: setores === undefined ? before.setores : [...(await requireSetores(tx, deps, contaId, setores))],
    // The mark of an operador without any line is no line, and a form that changes another field sends it back.
    linhas:
      linhas === undefined || linhas.join() === before.linhas.join()
        ? before.linhas
        : [...(await requireLinhas(tx, contaId, linhas))],
    status: ativo === undefined ? before.status : ativo ? 'ativo' : 'inativo',
  }
}

interface AccessChange {
  readonly antes: Operador
  readonly depois: Operador
  readonly senhaHash: string | null
}

async function changeAccess(
  tx: Tx,
  deps: ChangeOperadorDeps,
  session: RequestSession,
  { antes, depois, senhaHash }: AccessChange,
): Promise<void> {
  const { id } = depois
  if (senhaHash !== null) {
    await changePassword(tx, deps, id, senhaHash)
    await revokeLoginSessions(tx, deps, { usuarioId: id })
  } else if (antes.email !== depois.email) {
    await cancelResetLinks(tx, { usuarioId: id, at: deps.clock.now() })
    if (antes.convitePendente) await inviteOperador(tx, deps, session, depois)
  }
}

function isDuplicateEmail(error: unknown): boolean {
  return error instanceof Error && 'constraint' in error && error.constraint === 'usuarios_email'
}

/** Deletes an operador. Mensagens keep the name. Throws `naoEncontrado`. */
export async function deleteOperador(
  deps: Pick<Deps, 'db' | 'ids'> & ReleaseDeps,
  actor: RequestSession,
  id: string,
): Promise<void> {
  const { contaId } = actor
  await deps.db.transaction(contaId, async (tx) => {
    const { nome, email } = await lockOperador(tx, contaId, id)
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
