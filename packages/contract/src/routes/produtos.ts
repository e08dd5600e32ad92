import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema, successSchema } from '#entities/common.ts'
import { produtoSchema } from '#entities/produto.ts'
import { idParamsSchema } from './common.ts'

/**
 * Forms are multipart or JSON. The use case reads them with `parseProdutoForm` and checks them with the schemas of
 * entities/produto.ts.
 */

const produtoResponse = z.object({ produto: produtoSchema })
const produtosResponse = z.object({ produtos: z.array(produtoSchema) })

export const produtosRoute = defineRoute({
  method: 'GET',
  path: '/produtos',
  permission: 'lojaWhatsapp',
  response: produtosResponse,
  fallbackError: 'Erro ao carregar produtos',
})

export const criarProdutoRoute = defineRoute({
  method: 'POST',
  path: '/produtos',
  permission: 'lojaWhatsapp',
  bodyType: 'multipart',
  response: produtoResponse,
  fallbackError: 'Erro ao criar produto',
})

/** All or nothing. */
export const ordenarProdutosRoute = defineRoute({
  method: 'PUT',
  path: '/produtos/ordem',
  permission: 'lojaWhatsapp',
  body: z.object({
    produtos: z
      .array(z.object({ id: idSchema, ordem: z.int().check(z.gte(0), z.lte(1_000_000)) }))
      .check(z.minLength(1), z.maxLength(2000)),
  }),
  response: produtosResponse,
  fallbackError: 'Erro ao reordenar produtos',
})

export const atualizarProdutoRoute = defineRoute({
  method: 'PUT',
  path: '/produtos/:id',
  permission: 'lojaWhatsapp',
  params: idParamsSchema,
  bodyType: 'multipart',
  response: produtoResponse,
  fallbackError: 'Erro ao atualizar produto',
})

export const excluirProdutoRoute = defineRoute({
  method: 'DELETE',
  path: '/produtos/:id',
  permission: 'lojaWhatsapp',
  params: idParamsSchema,
  response: successSchema,
  fallbackError: 'Erro ao deletar produto',
})

export const menuProdutosRoute = defineRoute({
  method: 'GET',
  path: '/produtos/menu',
  permission: 'lojaWhatsapp',
  response: z.object({ menu: z.string(), produtos: z.array(produtoSchema) }),
  fallbackError: 'Erro ao carregar produtos',
})

export const detalhesProdutoRoute = defineRoute({
  method: 'GET',
  path: '/produtos/:id/detalhes',
  permission: 'lojaWhatsapp',
  params: idParamsSchema,
  response: z.extend(produtoResponse, { detalhes: z.string() }),
  fallbackError: 'Erro ao carregar produto',
})
