import * as z from 'zod/mini'
import { defineRoute } from '#define-route.ts'
import { mensagemSchema } from '#entities/mensagem.ts'
import { idParamsSchema } from './comum.ts'

/**
 * Pictures, documents and audio of the chat. `multipart/form-data`: `arquivo`, `legenda?`, `idTemporario?`; 5 MB at most.
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
  pronta: false,
})
