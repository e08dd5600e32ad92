import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** Notices that wait for a person. `transferida`: a colleague gave a conversa to the person. */
export const tipoAvisoSchema = z.enum([
  'mencao',
  'lembrete',
  'agendadaFalhou',
  'importacao',
  'botDesconectado',
  'limite',
  'transferida',
])
export type TipoAviso = z.infer<typeof tipoAvisoSchema>

export const avisoSchema = z.object({
  id: z.string(),
  tipo: tipoAvisoSchema,
  texto: z.string(),
  conversaId: z.optional(z.string()),
  criadoEm: instantSchema,
  lidoEm: z.optional(instantSchema),
})
export type AvisoDePessoa = z.infer<typeof avisoSchema>
