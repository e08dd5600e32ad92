import { AppError } from '#errors.ts'
import { soltarImagem } from '#modules/arquivos/index.ts'
import type { ProdutosDeps } from './criar-produto.ts'
import { deleteProduto, lockCatalogo } from './repository.ts'

/** Deletes a produto and, unless a chat or another produto shows it, its picture. Throws `naoEncontrado`. */
export async function excluirProduto(deps: ProdutosDeps, contaId: string, id: string): Promise<void> {
  await deps.db.transaction(contaId, async (tx) => {
    await lockCatalogo(tx, contaId)
    const apagado = await deleteProduto(tx, contaId, id)
    if (apagado === null) throw new AppError('naoEncontrado')
    await soltarImagem(tx, deps, contaId, apagado.imagemUrl)
    tx.afterCommit(() => deps.bots.contextoMudou(contaId))
  })
}
