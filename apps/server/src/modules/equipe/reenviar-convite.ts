import type { Operador } from '@balcao/contract/entities/operador'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { type ConvidarDeps, convidar } from './convidar.ts'
import { cancelLinks, lockOperador } from './repository.ts'

const DESATIVADA = 'Esta pessoa está desativada. Ative antes de reenviar o convite.'

/**
 * Sends a new invitation and cancels the earlier link. Throws `naoEncontrado`, `semConvite` if no invitation is
 * pending or the operador is inactive, or `muitasTentativas`.
 */
export async function reenviarConvite(
  deps: Pick<Deps, 'db'> & ConvidarDeps,
  sessao: Pedinte,
  id: string,
): Promise<Operador> {
  const { contaId } = sessao
  return deps.db.transaction(contaId, async (tx) => {
    const { nome, email, status, convitePendente } = await lockOperador(tx, contaId, id)
    if (!convitePendente) throw new AppError('semConvite')
    if (status !== 'ativo') throw new AppError('semConvite', { erro: DESATIVADA })
    await cancelLinks(tx, id, deps.clock.now())
    await convidar(tx, deps, sessao, { id, nome, email })
    await registrarAuditoria(tx, deps, { acao: 'conviteReenviado', quem: sessao, alvo: { id, nome, email } })
    return lockOperador(tx, contaId, id)
  })
}
