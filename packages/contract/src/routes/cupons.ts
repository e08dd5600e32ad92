import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { cupomInputSchema, cupomListadoSchema, cupomPatchSchema, cupomSchema } from '#entities/cupom.ts'
import { idParamsSchema } from './common.ts'

const cupomResponse = z.object({ cupom: cupomSchema })

export const cuponsRoute = defineRoute({
  method: 'GET',
  path: '/cupons',
  permission: 'lojaWhatsapp',
  response: z.object({ cupons: z.array(cupomListadoSchema), proximoCursor: z.null() }),
  fallbackError: 'Erro ao carregar cupons',
})

/** Throws `cupomExiste`. */
export const criarCupomRoute = defineRoute({
  method: 'POST',
  path: '/cupons',
  permission: 'lojaWhatsapp',
  body: cupomInputSchema,
  response: cupomResponse,
  status: 201,
  fallbackError: 'Erro ao criar o cupom',
})

/** Throws `cupomExiste`. */
export const atualizarCupomRoute = defineRoute({
  method: 'PUT',
  path: '/cupons/:id',
  permission: 'lojaWhatsapp',
  params: idParamsSchema,
  body: cupomPatchSchema,
  response: cupomResponse,
  fallbackError: 'Erro ao salvar o cupom',
})

export const excluirCupomRoute = defineRoute({
  method: 'DELETE',
  path: '/cupons/:id',
  permission: 'lojaWhatsapp',
  params: idParamsSchema,
  fallbackError: 'Erro ao excluir o cupom',
})
