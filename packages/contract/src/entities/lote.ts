import * as z from 'zod/mini'

/** Result of one act on many: each is done or refused separately, with the code of the single act. */
export const loteSchema = z.object({
  feitas: z.array(z.string()),
  recusadas: z.array(z.object({ id: z.string(), codigo: z.string() })),
})
export type Lote = z.infer<typeof loteSchema>
