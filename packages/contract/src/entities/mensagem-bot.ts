import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'
import { estadoMensagemSchema, midiaSchema, origemMensagemSchema } from './mensagem.ts'

/** A line of the Logs tab's message list (spec §3 "Message record"). */
export const mensagemBotSchema = z.object({
  id: z.string(),
  timestamp: instanteSchema,
  conteudo: z.string(),
  /** The customer's name. */
  contato: z.string(),
  telefone: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  origem: origemMensagemSchema,
  estado: z.optional(estadoMensagemSchema),
  midia: z.optional(midiaSchema),
})
export type MensagemBot = z.infer<typeof mensagemBotSchema>
