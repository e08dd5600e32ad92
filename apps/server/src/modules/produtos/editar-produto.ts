import type { Produto, ProdutoEdicao } from '@balcao/contract/entities/produto'
import type { Tx } from '#db/transaction.ts'
import { AppError } from '#errors.ts'
import { descartarImagem, guardarImagem, soltarImagem } from '#modules/arquivos/index.ts'
import type { ProdutosDeps } from './criar-produto.ts'
import { exigirImagem } from './exigir-imagem.ts'
import type { DoFormulario } from './ler-formulario.ts'
import { findProduto, lockImagem, updateProduto } from './repository.ts'

/**
 * Updates the given fields of a produto. Throws `naoEncontrado`, `dadosInvalidos` and the errors of storing its
 * picture.
 */
export async function editarProduto(
  deps: ProdutosDeps,
  contaId: string,
  id: string,
  { dados, imagem }: DoFormulario<ProdutoEdicao>,
): Promise<Produto> {
  if (imagem === null) return deps.db.transaction(contaId, (tx) => editar(tx, deps, contaId, { id, dados }))
  // Checked before the expensive re-encoding.
  if ((await deps.db.read(contaId, (tx) => findProduto(tx, contaId, id))) === null) throw new AppError('naoEncontrado')
  const nova = await guardarImagem(deps, contaId, imagem)
  try {
    return await deps.db.transaction(contaId, (tx) =>
      editar(tx, deps, contaId, { id, dados: { ...dados, imagemUrl: nova } }),
    )
  } catch (error) {
    if (error instanceof AppError) await descartarImagem(deps, contaId, nova)
    throw error
  }
}

async function editar(
  tx: Tx,
  deps: ProdutosDeps,
  contaId: string,
  { id, dados }: { readonly id: string; readonly dados: ProdutoEdicao },
): Promise<Produto> {
  const antes = await lockImagem(tx, contaId, id)
  if (antes === null) throw new AppError('naoEncontrado')
  const { imagemUrl: pedida, ...campos } = dados
  const imagemUrl = pedida === undefined ? antes.imagemUrl : pedida || null
  const trocou = imagemUrl !== antes.imagemUrl
  if (trocou) await exigirImagem(tx, contaId, imagemUrl)
  await updateProduto(tx, contaId, id, { ...definidos(campos), ...(trocou ? { imagemUrl } : {}) })
  if (trocou) await soltarImagem(tx, deps, contaId, antes.imagemUrl)
  const produto = await findProduto(tx, contaId, id)
  if (produto === null) throw new AppError('naoEncontrado')
  tx.afterCommit(() => deps.bots.contextoMudou(contaId))
  return produto
}

function definidos({
  nome,
  descricao,
  preco,
  linkCheckout,
  ativo,
  ordem,
}: ProdutoEdicao): Partial<Omit<Produto, 'id'>> {
  return {
    ...(nome === undefined ? {} : { nome }),
    ...(descricao === undefined ? {} : { descricao }),
    ...(preco === undefined ? {} : { preco }),
    ...(linkCheckout === undefined ? {} : { linkCheckout }),
    ...(ativo === undefined ? {} : { ativo }),
    ...(ordem === undefined ? {} : { ordem }),
  }
}
