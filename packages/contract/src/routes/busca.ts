import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { buscaQuerySchema, buscaSchema } from '#entities/busca.ts'

/**
 * At most 5 of each kind that the person may see, finished conversas included. Products only with `lojaWhatsapp`.
 * `mensagens` are those of `GET /atendimento/busca`, without the messages of found names.
 */
export const buscaRoute = defineRoute({
  method: 'GET',
  path: '/busca',
  permission: 'atendimentoHumano',
  query: z.object({ q: buscaQuerySchema }),
  response: buscaSchema,
  fallbackError: 'Erro ao buscar',
})
