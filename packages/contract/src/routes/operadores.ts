import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { sucessoSchema } from '#entities/comum.ts'
import { operadorEdicaoSchema, operadorEntradaSchema, operadorSchema } from '#entities/operador.ts'
import { idParamsSchema } from './comum.ts'

/** Operators of the account. Without `senha` the server sends an invitation by e-mail. */

const umOperador = z.object({ operador: operadorSchema })

export const operadoresRoute = defineRoute({
  method: 'GET',
  path: '/conta/operadores',
  permissao: 'dono',
  response: z.object({ operadores: z.array(operadorSchema) }),
  erroPadrao: 'Erro ao carregar dados',
})

export const criarOperadorRoute = defineRoute({
  method: 'POST',
  path: '/conta/operadores',
  permissao: 'dono',
  body: operadorEntradaSchema,
  response: umOperador,
  erroPadrao: 'Erro ao criar operador',
})

export const atualizarOperadorRoute = defineRoute({
  method: 'PUT',
  path: '/conta/operadores/:id',
  permissao: 'dono',
  params: idParamsSchema,
  body: operadorEdicaoSchema,
  response: umOperador,
  erroPadrao: 'Erro ao atualizar operador',
})

export const excluirOperadorRoute = defineRoute({
  method: 'DELETE',
  path: '/conta/operadores/:id',
  permissao: 'dono',
  params: idParamsSchema,
  response: sucessoSchema,
  erroPadrao: 'Erro ao excluir operador',
})

/** Sends another invitation to an operator without a password. The earlier link becomes invalid. */
export const reenviarConviteRoute = defineRoute({
  method: 'POST',
  path: '/conta/operadores/:id/convite',
  permissao: 'dono',
  params: idParamsSchema,
  response: umOperador,
  erroPadrao: 'Erro ao reenviar o convite',
})
