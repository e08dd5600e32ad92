import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { notaInputSchema, notaSchema } from '#entities/nota.ts'
import { idParamsSchema, listCursorSchema, listQuerySchema } from './common.ts'

export const notasRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/conversas/:id/notas',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  query: listQuerySchema,
  response: z.object({ notas: z.array(notaSchema), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao carregar notas',
})

/** Never sent to the customer. Also allowed in a finished conversa. */
export const criarNotaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/notas',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: notaInputSchema,
  response: z.object({ nota: notaSchema }),
  status: 201,
  fallbackError: 'Erro ao salvar a nota',
})
