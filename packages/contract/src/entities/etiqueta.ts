import * as z from 'zod/mini'
import { CORES_SETOR } from '#constants.ts'

/** A tag of contatos. Names are unique in the account; accents and case are ignored. */
export const etiquetaSchema = z.object({ id: z.string(), nome: z.string(), cor: z.enum(CORES_SETOR) })
export type Etiqueta = z.infer<typeof etiquetaSchema>

const nome = z
  .string('Informe o nome da etiqueta')
  .check(z.trim(), z.minLength(1, 'Informe o nome da etiqueta'), z.maxLength(40, 'O nome deve ter no máximo 40 letras'))
const cor = z.enum(CORES_SETOR, 'Escolha uma cor')

export const etiquetaInputSchema = z.object({ nome, cor: z._default(cor, 'blue') })
export const etiquetaPatchSchema = z.object({ nome: z.optional(nome), cor: z.optional(cor) })
