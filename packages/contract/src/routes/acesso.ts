import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { emailSchema, messageResponseSchema, newPasswordSchema, givenPasswordSchema } from '#entities/common.ts'
import { conviteSchema } from '#entities/operador.ts'

const linkTokenSchema = z
  .string('Link inválido')
  .check(z.minLength(1, 'Link inválido'), z.maxLength(200, 'Link inválido'))

/** The answer is the same for unknown e-mails, so that it does not reveal accounts. */
export const esqueciSenhaRoute = defineRoute({
  method: 'POST',
  path: '/auth/esqueci-senha',
  permission: 'publico',
  body: z.object({ email: emailSchema }),
  response: messageResponseSchema,
  status: 202,
  fallbackError: 'Erro ao pedir a redefinição de senha',
})

/** Shown before the first password is chosen. 404: unknown link. 410: used or expired link. */
export const conviteRoute = defineRoute({
  method: 'GET',
  path: '/auth/convite',
  permission: 'publico',
  query: z.object({ token: linkTokenSchema }),
  response: conviteSchema,
  fallbackError: 'Erro ao abrir o convite',
})

export const redefinirSenhaRoute = defineRoute({
  method: 'POST',
  path: '/auth/redefinir-senha',
  permission: 'publico',
  body: z.object({
    token: linkTokenSchema,
    senha: newPasswordSchema,
  }),
  status: 204,
  fallbackError: 'Erro ao redefinir a senha',
})

export const trocarSenhaRoute = defineRoute({
  method: 'PUT',
  path: '/auth/senha',
  permission: 'logado',
  stepUp: true,
  body: z.object({ senhaAtual: givenPasswordSchema, novaSenha: newPasswordSchema }),
  status: 204,
  fallbackError: 'Erro ao alterar a senha',
})
