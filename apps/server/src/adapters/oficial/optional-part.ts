import * as z from 'zod/mini'

const UNDEFINED_SCHEMA = z.pipe(
  z.unknown(),
  z.transform((): undefined => undefined),
)

/** Parses an optional part. An unknown shape becomes undefined, so the rest is still read. */
export function optionalPart<S extends z.ZodMiniType>(schema: S) {
  return z.optional(z.union([schema, UNDEFINED_SCHEMA]))
}
