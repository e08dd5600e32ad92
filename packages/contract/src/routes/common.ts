import * as z from 'zod/mini'
import { idSchema } from '#entities/common.ts'

export const idParamsSchema = z.object({ id: idSchema })

/** Largest page. Larger values of `limite` are reduced to it. */
const PAGE_MAX = 200

/** Lists are newest first. Without `limite` each list has its own default. `cursor` is opaque. */
export const pageSchema = z.object({
  limite: z.optional(
    z.pipe(
      z.coerce.number().check(z.int(), z.gte(1)),
      z.transform((limite) => Math.min(limite, PAGE_MAX)),
    ),
  ),
  cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(300))),
})

/** Absent on the last page. */
export const nextCursorSchema = z.optional(z.string())
