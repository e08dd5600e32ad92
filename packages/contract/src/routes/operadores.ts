import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { successSchema } from '#entities/common.ts'
import { conviteCriadoSchema, operadorPatchSchema, operadorInputSchema, operadorSchema } from '#entities/operador.ts'
import { idParamsSchema } from './common.ts'

/** Operators of the account. Without `senha` the server creates an invitation. */

const operadorResponse = z.object({ operador: operadorSchema })

export const operadoresRoute = defineRoute({
  method: 'GET',
  path: '/conta/operadores',
  permission: 'dono',
  response: z.object({ operadores: z.array(operadorSchema) }),
  fallbackError: 'Erro ao carregar dados',
})

export const criarOperadorRoute = defineRoute({
  method: 'POST',
  path: '/conta/operadores',
  permission: 'dono',
  body: operadorInputSchema,
  /** `convite` is absent with a `senha`. */
  response: z.extend(operadorResponse, { convite: z.optional(conviteCriadoSchema) }),
  fallbackError: 'Erro ao criar operador',
})

export const atualizarOperadorRoute = defineRoute({
  method: 'PUT',
  path: '/conta/operadores/:id',
  permission: 'dono',
  params: idParamsSchema,
  body: operadorPatchSchema,
  response: operadorResponse,
  fallbackError: 'Erro ao atualizar operador',
})

export const excluirOperadorRoute = defineRoute({
  method: 'DELETE',
  path: '/conta/operadores/:id',
  permission: 'dono',
  stepUp: true,
  params: idParamsSchema,
  response: successSchema,
  fallbackError: 'Erro ao excluir operador',
})

/** Creates another invitation to an operator without a password. The earlier link becomes invalid. */
export const reenviarConviteRoute = defineRoute({
  method: 'POST',
  path: '/conta/operadores/:id/convite',
  permission: 'dono',
  params: idParamsSchema,
  response: z.extend(operadorResponse, { convite: conviteCriadoSchema }),
  fallbackError: 'Erro ao reenviar o convite',
})
