import { formatIsoDate, zonedFormat } from '#shared/format.ts'

/** Times and days of the conta's calendar, as fields of forms hold them. */

const toZoned = zonedFormat(
  { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  'sv-SE',
)

const DAY_MS = 86_400_000

/** A time for an input of type `datetime-local`, in the zone of the conta like all times of the panel. */
export function toLocalInput(instant: number): string {
  return toZoned(instant).replace(' ', 'T')
}

/** The instant of such a time. NaN for an empty one. */
export function instantOf(time: string): number {
  const asUtc = Date.parse(`${time}Z`)
  if (Number.isNaN(asUtc)) return asUtc
  const offset = (instant: number): number => Date.parse(`${toLocalInput(instant)}Z`) - instant
  // The offset of the wanted instant differs from the first one near a change of the clocks.
  return asUtc - offset(asUtc - offset(asUtc))
}

/** Days of the calendar of the conta, whose length a change of the clocks does not change. */
export function dayAfter(now: number, days: number): string {
  return new Date(Date.parse(`${formatIsoDate(now)}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}
