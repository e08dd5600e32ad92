import * as z from 'zod/mini'
import { TEXTO_MAXIMO } from '#constants.ts'
import { defineRoute } from '#define-route.ts'
import { idSchema, idTemporarioSchema } from '#entities/common.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { idParamsSchema } from './common.ts'

/** Text fields of the multipart form, sent along with the file in `arquivo`. */
export const enviarMidiaFieldsSchema = z.object({
  legenda: z._default(z.string().check(z.trim(), z.maxLength(TEXTO_MAXIMO)), ''),
  idTemporario: z.optional(idTemporarioSchema),
  citadaId: z.optional(idSchema),
})

/**
 * Picture, document or audio, at most 5 MB, as `multipart/form-data` with `arquivo`, `legenda?`, `idTemporario?`
 * and `citadaId?`. The server detects the type from the bytes, not from the name. Result and errors as for a text.
 */
export const enviarMidiaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/midia',
  permission: 'atendimentoHumano',
  params: idParamsSchema,
  bodyType: 'multipart',
  response: z.object({ mensagem: mensagemSchema, conversaId: z.string(), idTemporario: z.optional(z.string()) }),
  fallbackError: 'Erro ao enviar arquivo',
})
