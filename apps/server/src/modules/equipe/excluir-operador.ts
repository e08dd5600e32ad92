import type { Deps } from '#deps.ts'
import type { Pedinte } from '#http/authentication.ts'
import { registrarAuditoria } from '#modules/auditoria/index.ts'
import { afastar, type SairDeps } from './afastar.ts'
import { lockOperador, markOperadorExcluido } from './repository.ts'

/** Deletes an operador. Mensagens keep the name. Throws `naoEncontrado`. */
export async function excluirOperador(
  deps: Pick<Deps, 'db' | 'ids'> & SairDeps,
  quem: Pedinte,
  id: string,
): Promise<void> {
  const { contaId } = quem
  await deps.db.transaction(contaId, async (tx) => {
    const { nome, email } = await lockOperador(tx, contaId, id)
    await markOperadorExcluido(tx, contaId, id, deps.clock.now())
    await afastar(tx, deps, contaId, id)
    await registrarAuditoria(tx, deps, { acao: 'operadorRemovido', quem, alvo: { id, nome, email } })
  })
}
