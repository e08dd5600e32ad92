import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { configInputSchema } from '#entities/config-input.ts'
import { ensaioSchema } from '#entities/prova.ts'

/**
 * Plays the conversas of the last days again, once with the stored settings and once with `config`. Sends nothing and
 * stores nothing. Sections that the caller may not write keep their stored values. Throws `ensaioEmAndamento`, and the
 * errors of a save.
 */
export const ensaiarConfigRoute = defineRoute({
  method: 'POST',
  path: '/config/ensaio',
  permission: 'iaChatbot',
  deniesOperators: true,
  body: z.object({
    config: configInputSchema,
    dias: z
      .int('Escolha de 1 a 30 dias')
      .check(z.gte(1, 'Escolha de 1 a 30 dias'), z.lte(30, 'Escolha de 1 a 30 dias')),
  }),
  response: ensaioSchema,
  fallbackError: 'Erro ao ensaiar a configuração',
})
