import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { emailSchema, messageResponseSchema, nomeSchema, newPasswordSchema } from '#entities/common.ts'
import { planoSchema } from '#entities/usuario.ts'

const optionalTextSchema = z._default(z.string().check(z.trim(), z.maxLength(120)), '')

/** Fields of the registration. Their order is the order of the issues; the panel shows the first one. */
export const signUpSchema = z.object({
  nome: nomeSchema,
  email: emailSchema,
  senha: newPasswordSchema,
  telefone: optionalTextSchema,
  empresa: optionalTextSchema,
})

export const registrarRoute = defineRoute({
  method: 'POST',
  path: '/auth/register',
  permission: 'publico',
  /** `planoDesejado` is a wish for the administrator. It changes neither plan nor limits. */
  body: z.extend(signUpSchema, { planoDesejado: z.optional(planoSchema) }),
  response: messageResponseSchema,
  status: 201,
  fallbackError: 'Erro ao registrar usuário',
})
