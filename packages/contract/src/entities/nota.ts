import * as z from 'zod/mini'
import { TEXTO_MAXIMO } from '#constants.ts'
import { idSchema, instantSchema } from './common.ts'

/** A note of people about a conversa. It is never sent to the customer. */
export const notaSchema = z.object({
  id: z.string(),
  texto: z.string(),
  /** Name of the author when the note was written. */
  autor: z.string(),
  autorId: z.string(),
  mencoes: z.array(z.string()),
  criadaEm: instantSchema,
})
export type NotaConversa = z.infer<typeof notaSchema>

export const notaInputSchema = z.object({
  texto: z
    .string('Escreva a nota')
    .check(
      z.trim(),
      z.minLength(1, 'Escreva a nota'),
      z.maxLength(TEXTO_MAXIMO, 'A nota deve ter no máximo 4096 caracteres'),
    ),
  mencoes: z._default(z.array(idSchema).check(z.maxLength(20, 'Mencione no máximo 20 pessoas')), []),
})
