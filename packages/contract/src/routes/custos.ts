import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { custosOficiaisSchema, mesSchema, precoOficialSchema, tarifasSchema } from '#entities/custos.ts'
import { ofLineSchema } from './common.ts'

/** The sums of one month, of all lines or of one. An estimate: Meta's invoice counts. */
export const custosOficiaisRoute = defineRoute({
  method: 'GET',
  path: '/oficial/custos',
  permission: 'configuracaoGeral',
  query: z.extend(ofLineSchema, { mes: mesSchema }),
  response: custosOficiaisSchema,
  fallbackError: 'Erro ao carregar os custos',
})

/** The price of one answer of the bot today, for estimates. */
export const precoOficialRoute = defineRoute({
  method: 'GET',
  path: '/oficial/preco',
  permission: 'mensagensMenus',
  response: precoOficialSchema,
  fallbackError: 'Erro ao carregar o preço',
})

export const tarifasRoute = defineRoute({
  method: 'GET',
  path: '/admin/tarifas',
  permission: 'admin',
  response: z.object({ tarifas: tarifasSchema }),
  fallbackError: 'Erro ao carregar as tarifas',
})

/** Replaces the table. Messages that are counted already keep their price. */
export const salvarTarifasRoute = defineRoute({
  method: 'PUT',
  path: '/admin/tarifas',
  permission: 'admin',
  body: z.object({ tarifas: tarifasSchema }),
  response: z.object({ tarifas: tarifasSchema }),
  fallbackError: 'Erro ao salvar as tarifas',
})
