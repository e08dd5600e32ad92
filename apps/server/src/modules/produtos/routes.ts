import { produtoEdicaoSchema, produtoEntradaSchema } from '@balcao/contract/entities/produto'
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
import { guardarImagem } from '#modules/arquivos/index.ts'
import { detalhesDoProduto, menuDaLoja } from './como-o-bot-mostra.ts'
import { criarProduto, type ProdutosDeps } from './criar-produto.ts'
import { editarProduto } from './editar-produto.ts'
import { excluirProduto } from './excluir-produto.ts'
import { lerProduto, lerUpload } from './ler-formulario.ts'
import { ordenarProdutos } from './ordenar-produtos.ts'
import { findProduto, listProdutos } from './repository.ts'

export function produtosRoutes(deps: ProdutosDeps): BoundRoute[] {
  const { db } = deps
  return [
    bind(produtosRoute, async ({ sessao: { contaId } }) => ({
      produtos: await db.read(contaId, (tx) => listProdutos(tx, contaId)),
    })),
    bind(criarProdutoRoute, async ({ sessao, request }) => ({
      produto: await criarProduto(deps, sessao.contaId, await lerProduto(request, produtoEntradaSchema)),
    })),
    bind(ordenarProdutosRoute, async ({ sessao, body }) => ({
      produtos: await ordenarProdutos(deps, sessao.contaId, body.produtos),
    })),
    bind(atualizarProdutoRoute, async ({ sessao, params, request }) => ({
      produto: await editarProduto(deps, sessao.contaId, params.id, await lerProduto(request, produtoEdicaoSchema)),
    })),
    bind(excluirProdutoRoute, async ({ sessao, params }) => {
      await excluirProduto(deps, sessao.contaId, params.id)
      return { sucesso: true as const }
    }),
    bind(menuProdutosRoute, async ({ sessao: { contaId } }) => {
      const todos = await db.read(contaId, (tx) => listProdutos(tx, contaId))
      const produtos = todos.filter(({ ativo }) => ativo)
      return { menu: menuDaLoja(produtos), produtos }
    }),
    bind(detalhesProdutoRoute, async ({ sessao: { contaId }, params }) => {
      const produto = await db.read(contaId, (tx) => findProduto(tx, contaId, params.id))
      if (produto === null) throw new AppError('naoEncontrado')
      return { produto, detalhes: detalhesDoProduto(produto) }
    }),
    bind(uploadRoute, async ({ sessao, request }) => ({
      url: await guardarImagem(deps, sessao.contaId, await lerUpload(request)),
    })),
  ]
}
