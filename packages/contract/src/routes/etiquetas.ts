import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { etiquetaInputSchema, etiquetaPatchSchema, etiquetaSchema } from '#entities/etiqueta.ts'
import { idParamsSchema } from './common.ts'

const etiquetaResponse = z.object({ etiqueta: etiquetaSchema })

export const etiquetasRoute = defineRoute({
  method: 'GET',
  path: '/etiquetas',
  permission: 'atendimentoHumano',
  response: z.object({ etiquetas: z.array(etiquetaSchema), proximoCursor: z.null() }),
  fallbackError: 'Erro ao carregar etiquetas',
})

export const criarEtiquetaRoute = defineRoute({
  method: 'POST',
  path: '/etiquetas',
  permission: 'atendimentoHumano',
  body: etiquetaInputSchema,
  response: etiquetaResponse,
  status: 201,
  fallbackError: 'Erro ao criar a etiqueta',
})

export const atualizarEtiquetaRoute = defineRoute({
  method: 'PUT',
  path: '/etiquetas/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  body: etiquetaPatchSchema,
  response: etiquetaResponse,
  fallbackError: 'Erro ao salvar a etiqueta',
})

export const excluirEtiquetaRoute = defineRoute({
  method: 'DELETE',
  path: '/etiquetas/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  fallbackError: 'Erro ao excluir a etiqueta',
})
