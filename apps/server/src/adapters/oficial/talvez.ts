import * as z from 'zod/mini'

const NADA = z.pipe(
  z.unknown(),
  z.transform((): undefined => undefined),
)

/** A piece that is not as we know it is left out, and what is around it is read. */
export function talvez<S extends z.ZodMiniType>(schema: S) {
  return z.optional(z.union([schema, NADA]))
}
