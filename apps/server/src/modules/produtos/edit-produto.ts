import type { Produto, ProdutoPatch } from '@balcao/contract/entities/produto'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { releaseImage, discardImage, storeImage } from '#modules/arquivos/index.ts'
import { contextChanges } from '#modules/contas/index.ts'
import type { ProdutosDeps } from './create-produto.ts'
import type { FormInput } from './parse-form.ts'
import { deleteProduto, lockCatalog, requireImage, findProduto, lockProdutoImage, updateProduto } from './repository.ts'

/**
 * Updates the given fields of a produto. Throws `naoEncontrado`, `dadosInvalidos` and the errors of storing its
 * picture.
 */
export async function editProduto(
  deps: ProdutosDeps,
  contaId: string,
  id: string,
  { dados, imagem }: FormInput<ProdutoPatch>,
): Promise<Produto> {
  if (imagem === null) return deps.db.transaction(contaId, (tx) => applyEdit(tx, deps, contaId, { id, dados }))
  // Checked before the expensive re-encoding.
  if ((await deps.db.read(contaId, (tx) => findProduto(tx, { contaId, id }))) === null)
    throw new AppError('naoEncontrado')
  const fresh = await storeImage(deps, contaId, imagem)
  try {
    return await deps.db.transaction(contaId, (tx) =>
      applyEdit(tx, deps, contaId, { id, dados: { ...dados, imagemUrl: fresh } }),
    )
  } catch (error) {
    if (error instanceof AppError) await discardImage(deps, contaId, fresh)
    throw error
  }
}

async function applyEdit(
  tx: Tx,
  deps: ProdutosDeps,
  contaId: string,
  { id, dados }: { readonly id: string; readonly dados: ProdutoPatch },
): Promise<Produto> {
  const before = await lockProdutoImage(tx, { contaId, id })
  if (before === null) throw new AppError('naoEncontrado')
  const { imagemUrl: requested, linkCheckout, ...fields } = dados
  const imagemUrl = requested === undefined ? before.imagemUrl : requested || null
  const changed = imagemUrl !== before.imagemUrl
  if (changed) await requireImage(tx, contaId, imagemUrl)
  const link = linkCheckout === '' ? null : linkCheckout
  await updateProduto(tx, { contaId, id, fields: { ...fields, linkCheckout: link, imagemUrl } })
  if (changed) await releaseImage(tx, deps, contaId, before.imagemUrl)
  const produto = await findProduto(tx, { contaId, id })
  if (produto === null) throw new AppError('naoEncontrado')
  await contextChanges(tx, deps.bots, contaId)
  return produto
}

/** Deletes a produto and, unless a chat or another produto shows it, its picture. Throws `naoEncontrado`. */
export async function removeProduto(deps: ProdutosDeps, contaId: string, id: string): Promise<void> {
  await deps.db.transaction(contaId, async (tx) => {
    await lockCatalog(tx, { contaId })
    const deleted = await deleteProduto(tx, { contaId, id })
    if (deleted === null) throw new AppError('naoEncontrado')
    await releaseImage(tx, deps, contaId, deleted.imagemUrl)
    await contextChanges(tx, deps.bots, contaId)
  })
}
