import * as z from 'zod/mini'

/** A `timestamptz` as ISO text. */
export const instant = z.pipe(
  z.date(),
  z.transform((date) => date.toISOString()),
)
