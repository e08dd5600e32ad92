import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { webchatInputSchema, webchatSchema } from '#entities/webchat.ts'
import { idParamsSchema } from './common.ts'

export const webchatRoute = defineRoute({
  method: 'GET',
  path: '/linhas/:id/webchat',
  permission: 'configuracaoGeral',
  params: idParamsSchema,
  response: z.object({ webchat: webchatSchema }),
  fallbackError: 'Erro ao carregar o chat do site',
})

/** Absent fields keep their values. */
export const salvarWebchatRoute = defineRoute({
  method: 'PUT',
  path: '/linhas/:id/webchat',
  permission: 'configuracaoGeral',
  params: idParamsSchema,
  body: webchatInputSchema,
  response: z.object({ webchat: webchatSchema }),
  fallbackError: 'Erro ao salvar o chat do site',
})

/** Creates the secret that signs identities. It is shown only here, and it ends the one before. */
export const segredoWebchatRoute = defineRoute({
  method: 'POST',
  path: '/linhas/:id/webchat/segredo',
  permission: 'configuracaoGeral',
  stepUp: true,
  params: idParamsSchema,
  response: z.object({ segredo: z.string() }),
  fallbackError: 'Erro ao criar o segredo do chat',
})
