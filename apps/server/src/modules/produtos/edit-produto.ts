import type { Produto, ProdutoInput, ProdutoPatch } from '@balcao/contract/entities/produto'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type ArquivosDeps, discardImage, storeImage, releaseImage } from '#modules/arquivos/index.ts'
import { contextChanges } from '#modules/contas/index.ts'
import type { Tx } from '#db/transaction.ts'
import type { FormInput } from './parse-form.ts'
import {
  requireImage,
  countProdutos,
  insertProduto,
  lockCatalog,
  deleteProduto,
  findProduto,
  lockProdutoImage,
  updateProduto,
  listProdutos,
  updateSortOrder,
} from './repository.ts'

export type ProdutosDeps = ArquivosDeps & Pick<Deps, 'bots'>

const PRODUTOS_MAX = 2_000

/**
 * Creates a produto, at the end of the list by default. Throws `dadosInvalidos` and the errors of storing its
 * picture.
 */
export async function createProduto(
  deps: ProdutosDeps,
  contaId: string,
  { dados, imagem }: FormInput<ProdutoInput>,
): Promise<Produto> {
  const { imagemUrl: sent, ordem, pausadoAte, ...rest } = dados
  const fresh = imagem === null ? null : await storeImage(deps, contaId, imagem)
  const imagemUrl = fresh ?? (sent || null)
  try {
    return await deps.db.transaction(contaId, async (tx) => {
      await lockCatalog(tx, { contaId })
      const count = await countProdutos(tx, { contaId })
      if (count >= PRODUTOS_MAX) {
        throw new AppError('dadosInvalidos', { erro: `A loja comporta até ${PRODUTOS_MAX} produtos.` })
      }
      if (fresh === null) await requireImage(tx, contaId, imagemUrl)
      const produto: Produto = {
        id: deps.ids.uuid(),
        ...rest,
        ordem: ordem ?? count,
        imagemUrl,
        ...pauseOf(pausadoAte),
      }
      await insertProduto(tx, { contaId, ...produto, pausadoAte: dateOf(pausadoAte ?? null) })
      await contextChanges(tx, deps.bots, contaId)
      return produto
    })
  } catch (error) {
    // After another error it is unknown whether the produto was stored, so the sweep decides.
    if (fresh !== null && error instanceof AppError) await discardImage(deps, contaId, fresh)
    throw error
  }
}

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
  const { imagemUrl: requested, linkCheckout, pausadoAte, ...fields } = dados
  const imagemUrl = requested === undefined ? before.imagemUrl : requested || null
  const changed = imagemUrl !== before.imagemUrl
  if (changed) await requireImage(tx, contaId, imagemUrl)
  const link = linkCheckout === '' ? null : linkCheckout
  const pause = pausadoAte === undefined ? {} : { pausadoAte: dateOf(pausadoAte) }
  await updateProduto(tx, { contaId, id, fields: { ...fields, ...pause, linkCheckout: link, imagemUrl } })
  if (changed) await releaseImage(tx, deps, contaId, before.imagemUrl)
  const produto = await findProduto(tx, { contaId, id })
  if (produto === null) throw new AppError('naoEncontrado')
  await contextChanges(tx, deps.bots, contaId)
  return produto
}

const dateOf = (instant: string | null): Date | null => (instant === null ? null : new Date(instant))

function pauseOf(pausadoAte: string | null | undefined): Pick<Produto, 'pausadoAte'> {
  return typeof pausadoAte === 'string' ? { pausadoAte } : {}
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
