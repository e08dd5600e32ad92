import type { Prova } from '@balcao/contract/entities/identidade'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { confirmLoginSession, NO_CONTA } from '#modules/auth/login-sessions.ts'
import { findUsuario } from '#modules/auth/usuario.ts'
import { type ProofDeps, prove } from './prove.ts'
import { wrongProof } from './second-step.ts'

/** Throws `senhaAtualIncorreta` or `codigoIncorreto`. */
export async function confirmIdentity(
  deps: ProofDeps & Pick<Deps, 'ids' | 'forgetSessions'>,
  session: RequestSession,
  proof: Prova,
): Promise<void> {
  const { usuarioId, tokenHash, ip } = session
  const person = await deps.db.transaction(NO_CONTA, (tx) => findUsuario(tx, { id: usuarioId }))
  if (person === null) throw new AppError('semSessao')
  const confirmed = await prove(deps, person, { proof, ip }, async (tx) => {
    await confirmLoginSession(tx, deps, tokenHash)
    await recordAuditoria(tx, deps, { acao: 'identidadeConfirmada', quem: session })
    return true
  })
  if (confirmed !== null) return
  await deps.db.transaction(NO_CONTA, (tx) =>
    recordAuditoria(tx, deps, { acao: 'identidadeConfirmada', quem: session, resultado: 'recusado' }),
  )
  throw wrongProof(proof.tipo)
}
