import { AppError } from '#errors.ts'
import { releaseImage } from '#modules/arquivos/index.ts'
import type { ProdutosDeps } from './create-produto.ts'
import { deleteProduto, lockCatalog } from './repository.ts'

/** Deletes a produto and, unless a chat or another produto shows it, its picture. Throws `naoEncontrado`. */
export async function removeProduto(deps: ProdutosDeps, contaId: string, id: string): Promise<void> {
  await deps.db.transaction(contaId, async (tx) => {
    await lockCatalog(tx, contaId)
    const apagado = await deleteProduto(tx, contaId, id)
    if (apagado === null) throw new AppError('naoEncontrado')
    await releaseImage(tx, deps, contaId, apagado.imagemUrl)
    tx.afterCommit(() => deps.bots.contextChanged(contaId))
  })
}
