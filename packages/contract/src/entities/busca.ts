import * as z from 'zod/mini'
import { instantSchema } from './common.ts'
import { origemMensagemSchema } from './mensagem.ts'

/** A found message, or with `origem: 'nota'` a nota, whose id is then `mensagemId`. */
export const resultadoBuscaSchema = z.object({
  conversaId: z.string(),
  mensagemId: z.string(),
  cliente: z.string(),
  trecho: z.string(),
  timestamp: instantSchema,
  origem: z.union([origemMensagemSchema, z.literal('nota')]),
})
export type ResultadoBusca = z.infer<typeof resultadoBuscaSchema>
