import type { Produto } from '@balcao/contract/entities/produto'
import { AppError } from '#errors.ts'
import { contextChanges } from '#modules/contas/index.ts'
import type { ProdutosDeps } from './create-produto.ts'
import { listProdutos, lockCatalog, updateSortOrder } from './repository.ts'

/** Moves all given produtos, or none if one does not exist. Throws `dadosInvalidos`, `naoEncontrado`. */
export async function sortProdutos(
  { db, bots }: Pick<ProdutosDeps, 'db' | 'bots'>,
  contaId: string,
  orders: readonly { readonly id: string; readonly ordem: number }[],
): Promise<Produto[]> {
  if (new Set(orders.map(({ id }) => id)).size < orders.length) {
    throw new AppError('dadosInvalidos', { erro: 'O mesmo produto aparece duas vezes.' })
  }
  return db.transaction(contaId, async (tx) => {
    await lockCatalog(tx, { contaId })
    if ((await updateSortOrder(tx, { contaId, i: orders })) < orders.length) throw new AppError('naoEncontrado')
    await contextChanges(tx, bots, contaId)
    return listProdutos(tx, { contaId })
  })
}
