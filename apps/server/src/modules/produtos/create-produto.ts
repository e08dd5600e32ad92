import type { Produto, ProdutoInput } from '@balcao/contract/entities/produto'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type ArquivosDeps, discardImage, storeImage } from '#modules/arquivos/index.ts'
import { contextChanges } from '#modules/contas/index.ts'
import type { FormInput } from './parse-form.ts'
import { requireImage, countProdutos, insertProduto, lockCatalog } from './repository.ts'

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
  const { imagemUrl: sent, ordem, ...rest } = dados
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
      const produto: Produto = { id: deps.ids.uuid(), ...rest, ordem: ordem ?? count, imagemUrl }
      await insertProduto(tx, { contaId, ...produto })
      await contextChanges(tx, deps.bots, contaId)
      return produto
    })
  } catch (error) {
    // After another error it is unknown whether the produto was stored, so the sweep decides.
    if (fresh !== null && error instanceof AppError) await discardImage(deps, contaId, fresh)
    throw error
  }
}
