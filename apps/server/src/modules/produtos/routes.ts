import { produtoPatchSchema, produtoInputSchema, type Produto } from '@balcao/contract/entities/produto'
import {
  atualizarProdutoRoute,
  criarProdutoRoute,
  detalhesProdutoRoute,
  excluirProdutoRoute,
  menuProdutosRoute,
  ordenarProdutosRoute,
  produtosRoute,
} from '@balcao/contract/routes/produtos'
import { enviarProdutoRoute, produtosDoAtendimentoRoute } from '@balcao/contract/routes/atendimento-mensagens'
import { uploadRoute } from '@balcao/contract/routes/upload'
import type { ProdutoLoja } from '@balcao/engine/context'
import { PHRASES } from '@balcao/engine/phrases'
import { catalogueText, produtoText } from '@balcao/engine/rules/loja'
import { AppError } from '#errors.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { storeImage } from '#modules/arquivos/index.ts'
import type { SendDeps } from '#modules/atendimento/index.ts'
import { createProduto, type ProdutosDeps, editProduto, removeProduto, sortProdutos } from './edit-produto.ts'
import { readProdutoForm, parseUploadForm } from './parse-form.ts'
import { findProduto, listProdutos } from './repository.ts'
import { sendProduto } from './send-produto.ts'

export function produtosRoutes(deps: ProdutosDeps & SendDeps): BoundRoute[] {
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
    bind(produtosDoAtendimentoRoute, async ({ sessao: { contaId } }) => {
      const produtos = await db.read(contaId, (tx) => listProdutos(tx, { contaId }))
      return { produtos: produtos.filter(({ ativo }) => ativo) }
    }),
    bind(enviarProdutoRoute, ({ sessao, params, body }) => sendProduto(deps, sessao, { ...params, ...body })),
    bind(menuProdutosRoute, async ({ sessao: { contaId } }) => {
      const all = await db.read(contaId, (tx) => listProdutos(tx, { contaId }))
      const produtos = all.filter(({ ativo }) => ativo)
      const menu = produtos.length === 0 ? PHRASES.semProdutos : catalogueText(produtos, produtos.map(toProdutoLoja), 0)
      return { menu, produtos }
    }),
    bind(detalhesProdutoRoute, async ({ sessao: { contaId }, params }) => {
      const produto = await db.read(contaId, (tx) => findProduto(tx, { contaId, id: params.id }))
      if (produto === null) throw new AppError('naoEncontrado')
      return { produto, detalhes: produtoText(toProdutoLoja(produto)) }
    }),
    bind(uploadRoute, async ({ sessao, request }) => ({
      url: await storeImage(deps, sessao.contaId, await parseUploadForm({ request, sessao })),
    })),
  ]
}

const toProdutoLoja = ({ imagemUrl, ...rest }: Produto): ProdutoLoja => ({
  ...rest,
  ...(imagemUrl === null ? {} : { imagemUrl }),
})
