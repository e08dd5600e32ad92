import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

export const tipoLogSchema = z.enum(['info', 'error', 'success', 'warning', 'bot', 'user'])
export type TipoLog = z.infer<typeof tipoLogSchema>

export const logSchema = z.object({
  id: z.string(),
  tipo: tipoLogSchema,
  mensagem: z.string(),
  detalhes: z.optional(z.union([z.string(), z.record(z.string(), z.unknown())])),
  timestamp: instantSchema,
})
export type Log = z.infer<typeof logSchema>
