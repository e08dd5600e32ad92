import * as z from 'zod/mini'
import { idSchema } from '#entities/comum.ts'

export const idParamsSchema = z.object({ id: idSchema })

/** Largest page. Larger values of `limite` are reduced to it. */
const PAGINA_MAXIMA = 200

/** Lists are newest first. Without `limite` each list has its own default. `cursor` is opaque. */
export const paginaSchema = z.object({
  limite: z.optional(
    z.pipe(
      z.coerce.number().check(z.int(), z.gte(1)),
      z.transform((limite) => Math.min(limite, PAGINA_MAXIMA)),
    ),
  ),
  cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
})

/** Absent on the last page. */
export const proximoCursorSchema = z.optional(z.string())
