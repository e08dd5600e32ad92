import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { oficialInputSchema, oficialSchema } from '#entities/oficial.ts'

export const oficialRoute = defineRoute({
  method: 'GET',
  path: '/whatsapp-oficial',
  permission: 'configuracaoGeral',
  response: z.object({ oficial: oficialSchema }),
  fallbackError: 'Erro ao carregar a API oficial',
})

/** Takes effect at the next start of the bot, or when Meta refuses the keys of a running bot. */
export const salvarOficialRoute = defineRoute({
  method: 'PUT',
  path: '/whatsapp-oficial',
  permission: 'configuracaoGeral',
  body: oficialInputSchema,
  response: z.object({ oficial: oficialSchema }),
  fallbackError: 'Erro ao salvar a API oficial',
})
