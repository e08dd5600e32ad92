import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { segurancaContaInputSchema, segurancaContaSchema, sessaoSchema } from '#entities/identidade.ts'
import { idParamsSchema } from './common.ts'

/** Own login sessions that have not ended, the latest use first. */
export const sessoesRoute = defineRoute({
  method: 'GET',
  path: '/auth/sessoes',
  permission: 'logado',
  response: z.object({ sessoes: z.array(sessaoSchema) }),
  fallbackError: 'Erro ao carregar as sessões',
})

/** Ends a session on all nodes before the answer: requests, sockets and notices on the phone. */
export const encerrarSessaoRoute = defineRoute({
  method: 'DELETE',
  path: '/auth/sessoes/:id',
  permission: 'logado',
  params: idParamsSchema,
  fallbackError: 'Erro ao encerrar a sessão',
})

export const encerrarOutrasSessoesRoute = defineRoute({
  method: 'DELETE',
  path: '/auth/sessoes',
  permission: 'logado',
  fallbackError: 'Erro ao encerrar as sessões',
})

/**
 * A logout that did not reach the server, repeated later. `sessao`: SHA-256 of the token in hexadecimal, which ends the
 * session and opens none. The answer for an unknown one is the same.
 */
export const logoutTardioRoute = defineRoute({
  method: 'POST',
  path: '/auth/logout-tardio',
  permission: 'publico',
  body: z.object({ sessao: z.string().check(z.regex(/^[0-9a-f]{64}$/)) }),
  status: 204,
  fallbackError: 'Erro ao sair',
})

export const segurancaContaRoute = defineRoute({
  method: 'GET',
  path: '/conta/seguranca',
  permission: 'dono',
  response: segurancaContaSchema,
  fallbackError: 'Erro ao carregar a segurança',
})

/** A shorter `sessaoHoras` also shortens the sessions that exist. A stale `versao` is 409 `versaoDesatualizada`. */
export const salvarSegurancaContaRoute = defineRoute({
  method: 'PUT',
  path: '/conta/seguranca',
  permission: 'dono',
  stepUp: true,
  body: segurancaContaInputSchema,
  response: segurancaContaSchema,
  fallbackError: 'Erro ao salvar a segurança',
})

export const encerrarSessoesOperadorRoute = defineRoute({
  method: 'DELETE',
  path: '/conta/operadores/:id/sessoes',
  permission: 'dono',
  stepUp: true,
  params: idParamsSchema,
  fallbackError: 'Erro ao encerrar as sessões',
})

/** For a lost phone: removes app, passkeys and recovery codes and ends the sessions. */
export const removerSegundoFatorOperadorRoute = defineRoute({
  method: 'DELETE',
  path: '/conta/operadores/:id/segundo-fator',
  permission: 'dono',
  stepUp: true,
  params: idParamsSchema,
  fallbackError: 'Erro ao remover a verificação em duas etapas',
})

/** As for an operator, for an owner or administrator. */
export const removerSegundoFatorUsuarioRoute = defineRoute({
  method: 'DELETE',
  path: '/admin/usuarios/:id/segundo-fator',
  permission: 'admin',
  stepUp: true,
  params: idParamsSchema,
  fallbackError: 'Erro ao remover a verificação em duas etapas',
})
