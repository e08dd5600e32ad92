import * as z from 'zod/mini'
import { instantSchema } from './common.ts'

/** Numbers of open conversas in the views of one person. Conversas with a reminder count only in `todas`. */
export const contagensSchema = z.object({
  minhas: z.int(),
  minhasSemResposta: z.int(),
  fila: z.int(),
  mencoes: z.int(),
  todas: z.int(),
  /** The waiting conversa of the person's setores that waits longest. */
  esperaMaisLonga: z.optional(z.object({ conversaId: z.string(), desde: instantSchema })),
})
export type Contagens = z.infer<typeof contagensSchema>
