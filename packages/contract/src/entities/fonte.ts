import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** Something that the shop gave its assistant to read. Its text is data for the model, never an instruction. */
export const fonteSchema = z.object({
  id: z.string(),
  tipo: z.enum(['texto', 'arquivo', 'site']),
  titulo: z.string(),
  url: z.optional(z.string()),
  estado: z.enum(['lendo', 'pronta', 'falhou']),
  /** Why it could not be read, in Portuguese. */
  motivo: z.optional(z.string()),
  trechos: z.int(),
  bytes: z.int(),
  lidaEm: z.nullable(instantSchema),
  /** After it the source is not used. */
  expiraEm: z.optional(instantSchema),
})
export type Fonte = z.infer<typeof fonteSchema>

/** A piece of a source that a search found. */
export const trechoSchema = z.object({
  fonteId: z.string(),
  /** Of the source. */
  titulo: z.string(),
  /** From 1, of a PDF. */
  pagina: z.optional(z.int()),
  trecho: z.string(),
  pontuacao: z.number(),
})
export type Trecho = z.infer<typeof trechoSchema>
