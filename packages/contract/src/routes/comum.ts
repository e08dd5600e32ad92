import * as z from 'zod/mini'
import { idSchema } from '#entities/comum.ts'

/** Path parameter of rows about one thing. */
export const idParamsSchema = z.object({ id: idSchema })

/** More than this is not given at once: whoever asks for all of a list gets the first of it, and the cursor to go on. */
const PAGINA_MAXIMA = 200

/** Lists are newest first; without these, the specification's caps (decisions §5). `cursor` is opaque. */
export const paginaSchema = z.object({
  limite: z.optional(
    z.pipe(
      z.coerce.number().check(z.int(), z.gte(1)),
      z.transform((limite) => Math.min(limite, PAGINA_MAXIMA)),
    ),
  ),
  cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
})

/** Present while there is more to read. */
export const proximoCursorSchema = z.optional(z.string())
