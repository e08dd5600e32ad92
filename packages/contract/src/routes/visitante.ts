import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import {
  chatConfigSchema,
  chatInputSchema,
  chatMensagemSchema,
  visitanteInputSchema,
  visitanteSchema,
} from '#entities/webchat.ts'
import { listCursorSchema } from './common.ts'

/**
 * The chat on a site, without login. The token of a visitor goes as `Authorization: Bearer`. A foreign `Origin` gets
 * 403, an unknown key 404, a wrong token 401.
 */

const chaveParamsSchema = z.object({ chave: z.string() })
const messageIdSchema = z.string().check(z.minLength(1), z.maxLength(100))
const acceptedSchema = z.object({ id: z.string() })

export const chatConfigRoute = defineRoute({
  method: 'GET',
  path: '/web/:chave/config',
  permission: 'publico',
  params: chaveParamsSchema,
  response: chatConfigSchema,
  fallbackError: 'Erro ao carregar o chat',
})

/** Creates no contato: the first message does. */
export const criarVisitanteRoute = defineRoute({
  method: 'POST',
  path: '/web/:chave/visitantes',
  permission: 'publico',
  params: chaveParamsSchema,
  body: visitanteInputSchema,
  response: visitanteSchema,
  status: 201,
  fallbackError: 'Erro ao abrir o chat',
})

export const apagarVisitanteRoute = defineRoute({
  method: 'DELETE',
  path: '/web/:chave/visitantes/eu',
  permission: 'publico',
  params: chaveParamsSchema,
  fallbackError: 'Erro ao apagar a conversa',
})

/** Oldest first, at most 100. `depois` is the last `proximoCursor`, which is null only while there is no message. */
export const mensagensDoChatRoute = defineRoute({
  method: 'GET',
  path: '/web/:chave/mensagens',
  permission: 'publico',
  params: chaveParamsSchema,
  query: z.object({ depois: z.optional(z.string().check(z.maxLength(40))) }),
  response: z.object({ mensagens: z.array(chatMensagemSchema), proximoCursor: listCursorSchema }),
  fallbackError: 'Erro ao carregar as mensagens',
})

/** 202 means stored. */
export const enviarNoChatRoute = defineRoute({
  method: 'POST',
  path: '/web/:chave/mensagens',
  permission: 'publico',
  params: chaveParamsSchema,
  body: chatInputSchema,
  response: acceptedSchema,
  status: 202,
  fallbackError: 'Erro ao enviar a mensagem',
})

/** Form with the fields `id` and `arquivo`. */
export const enviarMidiaNoChatRoute = defineRoute({
  method: 'POST',
  path: '/web/:chave/midias',
  permission: 'publico',
  params: chaveParamsSchema,
  bodyType: 'multipart',
  response: acceptedSchema,
  status: 202,
  fallbackError: 'Erro ao enviar o arquivo',
})

/**
 * Events `mensagem` (a message), `estado` (`{id, estado}` of an own message) and `digitando` (`{}`). With
 * `Last-Event-ID` it continues behind that event; a `proximoCursor` of the messages is one too.
 */
export const eventosDoChatRoute = defineRoute({
  method: 'GET',
  path: '/web/:chave/eventos',
  permission: 'publico',
  params: chaveParamsSchema,
  response: z.string(),
  responseType: 'text/event-stream',
  fallbackError: 'Erro ao acompanhar o chat',
})

export const digitandoNoChatRoute = defineRoute({
  method: 'POST',
  path: '/web/:chave/digitando',
  permission: 'publico',
  params: chaveParamsSchema,
  fallbackError: 'Erro ao avisar que está digitando',
})

/** Marks the messages of the shop up to this one as read. */
export const lidaNoChatRoute = defineRoute({
  method: 'POST',
  path: '/web/:chave/lida',
  permission: 'publico',
  params: chaveParamsSchema,
  body: z.object({ ate: messageIdSchema }),
  fallbackError: 'Erro ao marcar como lida',
})
