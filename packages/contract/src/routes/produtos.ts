import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema, sucessoSchema } from '#entities/comum.ts'
import { produtoSchema } from '#entities/produto.ts'
import { idParamsSchema } from './comum.ts'

/**
 * Forms are multipart or JSON. The use case reads them with `lerProdutoForm` and checks them with the schemas of
 * entities/produto.ts.
 */

const umProduto = z.object({ produto: produtoSchema })
const lista = z.object({ produtos: z.array(produtoSchema) })

export const produtosRoute = defineRoute({
  method: 'GET',
  path: '/produtos',
  permissao: 'lojaWhatsapp',
  response: lista,
  erroPadrao: 'Erro ao carregar produtos',
})

export const criarProdutoRoute = defineRoute({
  method: 'POST',
  path: '/produtos',
  permissao: 'lojaWhatsapp',
  corpo: 'multipart',
  response: umProduto,
  erroPadrao: 'Erro ao criar produto',
})

/** All or nothing. */
export const ordenarProdutosRoute = defineRoute({
  method: 'PUT',
  path: '/produtos/ordem',
  permissao: 'lojaWhatsapp',
  body: z.object({
    produtos: z
      .array(z.object({ id: idSchema, ordem: z.int().check(z.gte(0), z.lte(1_000_000)) }))
      .check(z.minLength(1), z.maxLength(2000)),
  }),
  response: lista,
  erroPadrao: 'Erro ao reordenar produtos',
})

export const atualizarProdutoRoute = defineRoute({
  method: 'PUT',
  path: '/produtos/:id',
  permissao: 'lojaWhatsapp',
  params: idParamsSchema,
  corpo: 'multipart',
  response: umProduto,
  erroPadrao: 'Erro ao atualizar produto',
})

export const excluirProdutoRoute = defineRoute({
  method: 'DELETE',
  path: '/produtos/:id',
  permissao: 'lojaWhatsapp',
  params: idParamsSchema,
  response: sucessoSchema,
  erroPadrao: 'Erro ao deletar produto',
})

export const menuProdutosRoute = defineRoute({
  method: 'GET',
  path: '/produtos/menu',
  permissao: 'lojaWhatsapp',
  response: z.object({ menu: z.string(), produtos: z.array(produtoSchema) }),
  erroPadrao: 'Erro ao carregar produtos',
})

export const detalhesProdutoRoute = defineRoute({
  method: 'GET',
  path: '/produtos/:id/detalhes',
  permissao: 'lojaWhatsapp',
  params: idParamsSchema,
  response: z.extend(umProduto, { detalhes: z.string() }),
  erroPadrao: 'Erro ao carregar produto',
})
