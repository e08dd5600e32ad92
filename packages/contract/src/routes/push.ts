import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { successSchema } from '#entities/common.ts'
import { inscricaoPushSchema, preferenciasPushSchema } from '#entities/push.ts'
import { idParamsSchema } from './common.ts'

export const chavePushRoute = defineRoute({
  method: 'GET',
  path: '/push/chave',
  permission: 'atendimentoHumano',
  response: z.object({ chavePublica: z.string() }),
  fallbackError: 'Erro ao carregar avisos',
})

const base64urlSchema = (max: number) => z.string().check(z.regex(/^[\w-]+=*$/), z.maxLength(max))

/** Belongs to the login session. A known `endpoint` returns its id. */
export const inscreverPushRoute = defineRoute({
  method: 'POST',
  path: '/push/inscricoes',
  permission: 'atendimentoHumano',
  body: z.object({
    endpoint: z.url().check(z.maxLength(1_000)),
    keys: z.object({ p256dh: base64urlSchema(200), auth: base64urlSchema(100) }),
  }),
  response: z.object({ id: z.string() }),
  status: 201,
  fallbackError: 'Erro ao ativar avisos',
})

/** The browsers of the usuario that receive notices, newest first: their part of an export of the usuario's own data. */
export const inscricoesPushRoute = defineRoute({
  method: 'GET',
  path: '/push/inscricoes',
  permission: 'atendimentoHumano',
  response: z.object({ inscricoes: z.array(inscricaoPushSchema), proximoCursor: z.null() }),
  fallbackError: 'Erro ao carregar avisos',
})

export const cancelarPushRoute = defineRoute({
  method: 'DELETE',
  path: '/push/inscricoes/:id',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  fallbackError: 'Erro ao desativar avisos',
})

export const testarPushRoute = defineRoute({
  method: 'POST',
  path: '/push/teste',
  permission: 'atendimentoHumano',
  response: successSchema,
  status: 202,
  fallbackError: 'Erro ao testar avisos',
})

export const preferenciasPushRoute = defineRoute({
  method: 'GET',
  path: '/push/preferencias',
  permission: 'atendimentoHumano',
  response: preferenciasPushSchema,
  fallbackError: 'Erro ao carregar avisos',
})

export const salvarPreferenciasPushRoute = defineRoute({
  method: 'PUT',
  path: '/push/preferencias',
  permission: 'atendimentoHumano',
  body: z.partial(preferenciasPushSchema),
  response: preferenciasPushSchema,
  fallbackError: 'Erro ao salvar avisos',
})
