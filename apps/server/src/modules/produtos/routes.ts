import { produtoPatchSchema, produtoInputSchema } from '@balcao/contract/entities/produto'
import {
  atualizarProdutoRoute,
  criarProdutoRoute,
  detalhesProdutoRoute,
  excluirProdutoRoute,
  menuProdutosRoute,
  ordenarProdutosRoute,
  produtosRoute,
} from '@balcao/contract/routes/produtos'
import { uploadRoute } from '@balcao/contract/routes/upload'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { storeImage } from '#modules/arquivos/index.ts'
import { produtoDetails, lojaMenu } from './bot-texts.ts'
import { createProduto, type ProdutosDeps } from './create-produto.ts'
import { editProduto, removeProduto } from './edit-produto.ts'
import { readProdutoForm, parseUploadForm } from './parse-form.ts'
import { findProduto, listProdutos } from './repository.ts'
import { sortProdutos } from './sort-produtos.ts'

export function produtosRoutes(deps: ProdutosDeps): BoundRoute[] {
  const { db } = deps
  return [
    bind(produtosRoute, async ({ sessao: { contaId } }) => ({
      produtos: await db.read(contaId, (tx) => listProdutos(tx, { contaId })),
    })),
    bind(criarProdutoRoute, async ({ sessao, request }) => ({
      produto: await createProduto(
        deps,
        sessao.contaId,
        await readProdutoForm({ request, sessao }, produtoInputSchema),
      ),
    })),
    bind(ordenarProdutosRoute, async ({ sessao, body }) => ({
      produtos: await sortProdutos(deps, sessao.contaId, body.produtos),
    })),
    bind(atualizarProdutoRoute, async ({ sessao, params, request }) => ({
      produto: await editProduto(
        deps,
        sessao.contaId,
        params.id,
        await readProdutoForm({ request, sessao }, produtoPatchSchema),
      ),
    })),
    bind(excluirProdutoRoute, async ({ sessao, params }) => {
      await removeProduto(deps, sessao.contaId, params.id)
      return { sucesso: true as const }
    }),
    bind(menuProdutosRoute, async ({ sessao: { contaId } }) => {
      const all = await db.read(contaId, (tx) => listProdutos(tx, { contaId }))
      const produtos = all.filter(({ ativo }) => ativo)
      return { menu: lojaMenu(produtos), produtos }
    }),
    bind(detalhesProdutoRoute, async ({ sessao: { contaId }, params }) => {
      const produto = await db.read(contaId, (tx) => findProduto(tx, { contaId, id: params.id }))
      if (produto === null) throw new AppError('naoEncontrado')
      return { produto, detalhes: produtoDetails(produto) }
    }),
    bind(uploadRoute, async ({ sessao, request }) => ({
      url: await storeImage(deps, sessao.contaId, await parseUploadForm({ request, sessao })),
    })),
  ]
}
