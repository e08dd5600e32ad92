import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

export const versaoConfigSchema = z.object({
  versao: z.int(),
  criadaEm: instantSchema,
  autor: z.string(),
  atual: z.boolean(),
  /** False: the content was deleted, so this version cannot be restored. */
  guardada: z.boolean(),
})
export type VersaoConfig = z.infer<typeof versaoConfigSchema>
