import type { Operador } from '@balcao/contract/entities/operador'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { requireAcceptable } from '#modules/auth/index.ts'
import { lockConta } from '#modules/configuracao/index.ts'
import { insertUsuario } from '#modules/contas/index.ts'
import { type InviteDeps, inviteOperador } from './invite.ts'
import { listOperadores, lockOperador } from './repository.ts'
import { requireSetores } from './require-setores.ts'
import { OPERADORES_MAX } from './rules.ts'

interface CreateOperadorInput {
  readonly nome: string
  readonly email: string
  readonly setores: readonly string[]
  readonly senha?: string | undefined
}

/**
 * Creates an operador. Without `senha` an invitation is sent by e-mail. Throws `setorDesconhecido`, `limitePlano`,
 * `emailJaCadastrado` or `muitasTentativas`.
 */
export async function createOperador(
  deps: Pick<Deps, 'db' | 'passwords'> & InviteDeps,
  session: RequestSession,
  { nome, email, setores: requests, senha }: CreateOperadorInput,
): Promise<Operador> {
  const { contaId, empresa } = session
  if (senha !== undefined) {
    const owner = { nome, email, empresa, tipo: 'operador' as const, segundoFator: false }
    await deps.db.transaction(contaId, (tx) => requireAcceptable(tx, senha, owner))
  }
  const senhaHash = senha === undefined ? null : await deps.passwords.hash(senha, session.ip)
  return deps.db.transaction(contaId, async (tx) => {
    await lockConta(tx, contaId)
    const setores = await requireSetores(tx, deps, contaId, requests)
    const { length: usado } = await listOperadores(tx, { contaId })
    if (usado >= OPERADORES_MAX) {
      const error = `Uma conta pode ter até ${OPERADORES_MAX} operadores.`
      throw new AppError('limitePlano', { erro: error, usado, limite: OPERADORES_MAX })
    }
    const id = deps.ids.uuid()
    const em = deps.clock.now()
    await insertUsuario(tx, { id, contaId, nome, email, tipo: 'operador', status: 'ativo', senhaHash, setores, em })
    if (senhaHash === null) await inviteOperador(tx, deps, session, { id, nome, email })
    const acao = senhaHash === null ? 'operadorConvidado' : 'operadorCriado'
    await recordAuditoria(tx, deps, { acao, quem: session, alvo: { id, nome, email } })
    return lockOperador(tx, contaId, id)
  })
}
