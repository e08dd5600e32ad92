import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'

/** One saved version of the configuration (decisions §2). */
export const versaoConfigSchema = z.object({
  versao: z.int(),
  criadaEm: instanteSchema,
  /** Name of who saved it. */
  autor: z.string(),
  atual: z.boolean(),
})
export type VersaoConfig = z.infer<typeof versaoConfigSchema>
