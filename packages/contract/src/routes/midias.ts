import * as z from 'zod/mini'
import { TEXTO_MAXIMO } from '#constants.ts'
import { defineRoute } from '#define-route.ts'
import { idSchema } from '#entities/comum.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { idParamsSchema } from './comum.ts'

/** The text fields of `enviarMidia`'s form, beside the file in `arquivo`. */
export const enviarMidiaCamposSchema = z.object({
  legenda: z._default(z.string().check(z.trim(), z.maxLength(TEXTO_MAXIMO)), ''),
  idTemporario: z.optional(idSchema),
  citadaId: z.optional(idSchema),
})

/**
 * Pictures, documents and audio of the chat. `multipart/form-data`: `arquivo`, `legenda?`, `idTemporario?`, `citadaId?`
 * (the message it answers, as of a text); 5 MB at most.
 * What it is comes from its bytes, never from its name. Answers as a text does, and so do its errors.
 */
export const enviarMidiaRoute = defineRoute({
  method: 'POST',
  path: '/atendimento/conversas/:id/midia',
  permissao: 'atendimentoHumano',
  params: idParamsSchema,
  corpo: 'multipart',
  response: z.object({ mensagem: mensagemSchema, conversaId: z.string(), idTemporario: z.optional(z.string()) }),
  erroPadrao: 'Erro ao enviar arquivo',
})
