import * as z from 'zod/mini'

const NADA = z.pipe(
  z.unknown(),
  z.transform((): undefined => undefined),
)

/** Parses an optional part. An unknown shape becomes undefined, so the rest is still read. */
export function talvez<S extends z.ZodMiniType>(schema: S) {
  return z.optional(z.union([schema, NADA]))
}
