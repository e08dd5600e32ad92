import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { idSchema, instantSchema } from '#entities/common.ts'
import { contagensSchema } from '#entities/contagens.ts'
import { idParamsSchema } from './common.ts'

/** Read positions and marks of one person, and the numbers of that person's views. */

export const contagensRoute = defineRoute({
  method: 'GET',
  path: '/atendimento/contagens',
  permission: 'atendimentoHumano',
  response: contagensSchema,
  fallbackError: 'Erro ao carregar contagens',
})

/**
 * `ate`: the last message that the person read, which never moves backwards. `marcada`: unread by hand, until the next
 * `ate`. Throws `naoEncontrado` for a message of another conversa.
 */
export const leituraRoute = defineRoute({
  method: 'PUT',
  path: '/atendimento/conversas/:id/leitura',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.union([z.object({ ate: idSchema }), z.object({ marcada: z.literal(true) })]),
  fallbackError: 'Erro ao marcar a leitura',
})

/** Hides the conversa from the caller's views for 1 minute to 90 days, or until the customer writes. Null shows it again. */
export const lembrarRoute = defineRoute({
  method: 'PUT',
  path: '/atendimento/conversas/:id/lembrar',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({ em: z.nullable(instantSchema) }),
  fallbackError: 'Erro ao guardar o lembrete',
})

/** At most 10 of a person, else `limiteDeItens`. */
export const fixarRoute = defineRoute({
  method: 'PUT',
  path: '/atendimento/conversas/:id/fixar',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: z.object({ fixada: z.boolean() }),
  fallbackError: 'Erro ao fixar a conversa',
})
