import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { instantSchema } from '#entities/common.ts'

/**
 * Number of the open conversas of the list and the sum of their `revisao`, so that a client sees at little cost whether
 * it missed an event. `desde`: only conversas with activity at or after this instant.
 */
export const revisoesRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/revisoes',
  permission: 'atendimentoHumano',
  query: z.object({ desde: z.optional(instantSchema) }),
  response: z.object({ total: z.int(), revisoes: z.int() }),
  fallbackError: 'Erro ao carregar conversas',
})
