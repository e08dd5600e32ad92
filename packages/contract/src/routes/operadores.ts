import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { sucessoSchema } from '#entities/comum.ts'
import { operadorEdicaoSchema, operadorEntradaSchema, operadorSchema } from '#entities/operador.ts'
import { idParamsSchema } from './comum.ts'

/** The account's operators (decisions §5). Without `senha` an invitation goes by e-mail. */

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

/** Another invitation to who has not chosen a password; the link before it stops working. */
export const reenviarConviteRoute = defineRoute({
  method: 'POST',
  path: '/conta/operadores/:id/convite',
  permissao: 'dono',
  params: idParamsSchema,
  response: umOperador,
  erroPadrao: 'Erro ao reenviar o convite',
})
