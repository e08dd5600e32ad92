import type { Usuario } from '@balcao/contract/entities/usuario'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { updateOwnData } from '#modules/contas/index.ts'
import { NO_CONTA } from './login-sessions.ts'
import { findUsuario, toUsuario } from './usuario.ts'

interface OwnData {
  readonly nome?: string | undefined
  readonly telefone?: string | undefined
}

/** Messages keep the name under which the person wrote them. */
export async function saveOwnData(
  deps: Pick<Deps, 'db' | 'ids' | 'clock' | 'realtime' | 'forgetSessions'>,
  session: RequestSession,
  { nome, telefone }: OwnData,
): Promise<Usuario> {
  const { usuarioId } = session
  return deps.db.transaction(NO_CONTA, async (tx) => {
    const before = await findUsuario(tx, { id: usuarioId }, { lock: true })
    if (before === null) throw new AppError('semSessao')
    const fields = { nome: nome ?? before.nome, telefone: telefone ?? before.telefone }
    const renamed = fields.nome !== before.nome
    const changed = [renamed ? 'nome' : null, fields.telefone === before.telefone ? null : 'telefone']
    const detalhe = changed.filter((part) => part !== null).join(', ')
    if (detalhe === '') return toUsuario(before)
    await updateOwnData(tx, { id: usuarioId, fields })
    await recordAuditoria(tx, deps, { acao: 'dadosPropriosAlterados', quem: session, detalhe })
    tx.afterCommit(async () => {
      await deps.forgetSessions()
      if (renamed) await deps.realtime.disconnect({ usuarioId })
    })
    return toUsuario({ ...before, ...fields })
  })
}
