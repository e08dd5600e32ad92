import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** Largest part of a version in the protocol of WhatsApp. */
const PART_MAX = 0xff_ff_ff_ff

/** Protocol version of WhatsApp Web: three numbers with dots, such as `2.3000.1023223821`. */
export const versaoWhatsappSchema = z
  .string()
  .check(
    z.refine(
      (text) => /^\d{1,10}(\.\d{1,10}){2}$/.test(text) && text.split('.').every((part) => Number(part) <= PART_MAX),
      'Use três números separados por pontos, como 2.3000.1023223821',
    ),
  )

export const whatsappSettingsSchema = z.object({
  /** Null: the version of the connector's library. */
  versao: z.nullable(z.string()),
  /** The last value that failed its test. `motivo` is a sentence. Absent after a value was accepted. */
  recusada: z.optional(z.object({ versao: z.nullable(z.string()), motivo: z.string(), em: instantSchema })),
})
export type WhatsappSettings = z.infer<typeof whatsappSettingsSchema>
