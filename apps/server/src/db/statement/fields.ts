import { type CustomTypesConfig, types } from 'pg'
import * as z from 'zod/mini'

/** A `timestamptz` as ISO text. */
export const instant = z.pipe(
  z.date(),
  z.transform((date) => date.toISOString()),
)

export const TIMESTAMPTZ = 1184
const SPACE = 32

/** Connections use UTC (`2026-11-21 13:40:00.123456+00`). False for other forms, also for years after 9999. */
export const isUtcTimestamp = (text: string): boolean =>
  text.length <= 29 && text.endsWith('+00') && text.charCodeAt(10) === SPACE

/** Reads each `timestamptz` as ISO text. Through a `Date` the five times of a conversa took a tenth of a list. */
export const isoTypes: CustomTypesConfig = {
  getTypeParser: (id, format) => (Number(id) === TIMESTAMPTZ ? readIso : types.getTypeParser(id, format)),
}

/** Other forms become what the connection reads. */
function readIso(text: string): unknown {
  if (!isUtcTimestamp(text)) return types.getTypeParser(TIMESTAMPTZ)(text)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).slice(0, 3).padEnd(3, '0')}Z`
}
