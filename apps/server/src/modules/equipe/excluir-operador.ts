import type { Deps } from '#deps.ts'
import { afastar, type SairDeps } from './afastar.ts'
import { lockOperador, markOperadorExcluido } from './repository.ts'

/** The person leaves; what they wrote stays under their name. Throws `naoEncontrado`. */
export async function excluirOperador(deps: Pick<Deps, 'db'> & SairDeps, contaId: string, id: string): Promise<void> {
  await deps.db.transaction(contaId, async (tx) => {
    await lockOperador(tx, contaId, id)
    await markOperadorExcluido(tx, contaId, id, deps.clock.now())
    await afastar(tx, deps, contaId, id)
  })
}
