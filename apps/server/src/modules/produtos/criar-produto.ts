import type { Produto, ProdutoEntrada } from '@balcao/contract/entities/produto'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import { type ArquivosDeps, descartarImagem, guardarImagem } from '#modules/arquivos/index.ts'
import { exigirImagem } from './exigir-imagem.ts'
import type { DoFormulario } from './ler-formulario.ts'
import { countProdutos, insertProduto, lockCatalogo } from './repository.ts'

export type ProdutosDeps = ArquivosDeps & Pick<Deps, 'bots'>

const PRODUTOS_MAXIMO = 2_000

/**
 * Creates a produto, at the end of the list by default. Throws `dadosInvalidos` and the errors of storing its
 * picture.
 */
export async function criarProduto(
  deps: ProdutosDeps,
  contaId: string,
  { dados, imagem }: DoFormulario<ProdutoEntrada>,
): Promise<Produto> {
  const { imagemUrl: enviada, ordem, ...resto } = dados
  const nova = imagem === null ? null : await guardarImagem(deps, contaId, imagem)
  const imagemUrl = nova ?? (enviada || null)
  try {
    return await deps.db.transaction(contaId, async (tx) => {
      await lockCatalogo(tx, contaId)
      const quantos = await countProdutos(tx, contaId)
      if (quantos >= PRODUTOS_MAXIMO) {
        throw new AppError('dadosInvalidos', { erro: `A loja comporta até ${PRODUTOS_MAXIMO} produtos.` })
      }
      if (nova === null) await exigirImagem(tx, contaId, imagemUrl)
      const produto: Produto = { id: deps.ids.uuid(), ...resto, ordem: ordem ?? quantos, imagemUrl }
      await insertProduto(tx, contaId, produto)
      tx.afterCommit(() => deps.bots.contextoMudou(contaId))
      return produto
    })
  } catch (error) {
    // After another error it is unknown whether the produto was stored, so the sweep decides.
    if (nova !== null && error instanceof AppError) await descartarImagem(deps, contaId, nova)
    throw error
  }
}
