import * as z from 'zod/mini'

/** Fields of rows that the panel gets as they are. */

/** A `timestamptz` as ISO text. */
export const instant = z.pipe(
  z.date(),
  z.transform((date) => date.toISOString()),
)
