import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { sistemaStatusSchema } from '#entities/sistema-status.ts'

export const sistemaStatusRoute = defineRoute({
  method: 'GET',
  path: '/sistema/status',
  permission: 'logado',
  response: sistemaStatusSchema,
  fallbackError: 'Erro ao atualizar dados',
})

/** Pauses this account's bot. `senha` is the own password. People of whom a confirmation is asked may leave it out. */
export const manutencaoRoute = defineRoute({
  method: 'POST',
  path: '/sistema/manutencao',
  permission: 'logsStatus',
  stepUp: true,
  body: z.object({
    senha: z.optional(
      z
        .string('Digite a senha para continuar')
        .check(z.minLength(1, 'Digite a senha para continuar'), z.maxLength(1024)),
    ),
    ativa: z.boolean(),
  }),
  response: z.object({ manutencao: z.boolean() }),
  fallbackError: 'Erro ao alterar o modo de manutenção',
})
