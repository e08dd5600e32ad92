import * as z from 'zod/mini'
import { instantSchema } from './common.ts'
import { estadoMensagemSchema, midiaSchema, origemMensagemSchema } from './mensagem.ts'

export const mensagemBotSchema = z.object({
  id: z.string(),
  timestamp: instantSchema,
  conteudo: z.string(),
  contato: z.string(),
  telefone: z.string(),
  direcao: z.enum(['entrada', 'saida']),
  origem: origemMensagemSchema,
  estado: z.optional(estadoMensagemSchema),
  midia: z.optional(midiaSchema),
})
export type MensagemBot = z.infer<typeof mensagemBotSchema>
