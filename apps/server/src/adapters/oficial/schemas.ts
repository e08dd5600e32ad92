import * as z from 'zod/mini'

const UNDEFINED_SCHEMA = z.pipe(
  z.unknown(),
  z.transform((): undefined => undefined),
)

/** Parses an optional part. An unknown shape becomes undefined, so the rest is still read. */
export function optionalPart<S extends z.ZodMiniType>(schema: S) {
  return z.optional(z.union([schema, UNDEFINED_SCHEMA]))
}

const SECONDS_MAX = 1e10

/** Converts Meta's seconds, given as digits, to a date. Null when invalid, so that a bad timestamp loses no message. */
export const metaTimestampSchema = z.pipe(
  z.unknown(),
  z.transform((value) => {
    const seconds = Number(value)
    return seconds > 0 && seconds < SECONDS_MAX ? new Date(seconds * 1000) : null
  }),
)
