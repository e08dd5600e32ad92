import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { avisoSchema } from '#entities/aviso.ts'
import { idSchema } from '#entities/common.ts'
import { listCursorSchema, listQuerySchema } from './common.ts'

/** The caller's notices of the last 30 days, newest first. */
export const avisosRoute = defineRoute({
  method: 'GET',
  path: '/avisos',
  permission: 'logado',
  query: listQuerySchema,
  response: z.object({ avisos: z.array(avisoSchema), naoLidos: z.int(), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao carregar avisos',
})

/** Marks this notice and all older ones as read. */
export const lerAvisosRoute = defineRoute({
  method: 'PUT',
  path: '/avisos/lidos',
  permission: 'logado',
  body: z.object({ ate: idSchema }),
  fallbackError: 'Erro ao marcar avisos como lidos',
})
