import * as z from 'zod/mini'
import { instanteSchema } from './comum.ts'

export const versaoConfigSchema = z.object({
  versao: z.int(),
  criadaEm: instanteSchema,
  autor: z.string(),
  atual: z.boolean(),
})
export type VersaoConfig = z.infer<typeof versaoConfigSchema>
