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

/** `linha`: only what belongs to this line. */
export const ofLineSchema = z.object({ linha: z.optional(idSchema) })

const LIST_PAGE = { default: 40, max: 100 } as const

/** Page of the newer lists: at most 100 rows, 40 without `limite`. Larger values are reduced. */
export const listQuerySchema = z.object({
  limite: z._default(
    z.pipe(
      z.coerce.number().check(z.int(), z.gte(1)),
      z.transform((limite) => Math.min(limite, LIST_PAGE.max)),
    ),
    LIST_PAGE.default,
  ),
  cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(1_000))),
})

/** Null on the last page of the newer lists. */
export const listCursorSchema = z.nullable(z.string())

/** Absent on the last page. */
export const nextCursorSchema = z.optional(z.string())
