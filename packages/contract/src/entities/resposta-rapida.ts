import * as z from 'zod/mini'
import { idSchema } from './common.ts'

/**
 * A text that operators insert by typing `/` and its `atalho`. `{nome}`, `{protocolo}`, `{operador}`, `{empresa}` and `{linha}` are
 * filled when it is inserted.
 */
export const respostaRapidaSchema = z.object({
  atalho: z
    .string('Informe o atalho')
    .check(z.trim(), z.toLowerCase(), z.regex(/^[a-z0-9_-]{1,30}$/, 'Use até 30 letras sem acento, números, - ou _')),
  texto: z.string('Escreva o texto').check(z.trim(), z.minLength(1, 'Escreva o texto'), z.maxLength(4096)),
  /** The setores that use the text. Empty: all. */
  setores: z._default(z.array(idSchema).check(z.maxLength(100)), []),
})
export type RespostaRapida = z.infer<typeof respostaRapidaSchema>
