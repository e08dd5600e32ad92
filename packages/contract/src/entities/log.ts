import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'

/** A line of the account's log (spec §3 "Log entry"). */

export const tipoLogSchema = z.enum(['info', 'error', 'success', 'warning', 'bot', 'user'])
export type TipoLog = z.infer<typeof tipoLogSchema>

export const logSchema = z.object({
  id: z.string(),
  tipo: tipoLogSchema,
  mensagem: z.string(),
  /** Shown when the row is expanded. */
  detalhes: z.optional(z.union([z.string(), z.record(z.string(), z.unknown())])),
  timestamp: instanteSchema,
})
export type Log = z.infer<typeof logSchema>
