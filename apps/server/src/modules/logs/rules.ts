import type { PeriodoLog } from '@balcao/contract/routes/registros'

const DAY_MS = 86_400_000

/**
 * Returns the interval `[desde, ate)` of a period; null is open. Days are local to the conta, `semana` is the last
 * 7 days, `mes` the last calendar month.
 */
export function periodRange(
  period: PeriodoLog,
  now: Date,
  timeZone: string,
): { readonly desde: Date | null; readonly ate: Date | null } {
  switch (period) {
    case 'hoje':
      return { desde: startOfDay(now, timeZone), ate: null }
    case 'ontem': {
      const today = startOfDay(now, timeZone)
      return { desde: startOfDay(new Date(today.getTime() - 1), timeZone), ate: today }
    }
    case 'semana':
      return { desde: new Date(now.getTime() - 7 * DAY_MS), ate: null }
    case 'mes': {
      return { desde: oneMonthBefore(now), ate: null }
    }
    case 'todos':
      return { desde: null, ate: null }
    default:
      return period satisfies never
  }
}

function oneMonthBefore(now: Date): Date {
  const before = new Date(now)
  before.setUTCMonth(before.getUTCMonth() - 1)
  if (before.getUTCDate() !== now.getUTCDate()) before.setUTCDate(0)
  return before
}

/** Start of the local day. On a day whose midnight is skipped by a clock change, returns the first existing time. */
export function startOfDay(instant: Date, timeZone: string): Date {
  const midnight = new Date(instant.getTime() - sinceMidnightMs(instant, timeZone))
  const error = sinceMidnightMs(midnight, timeZone)
  if (error === 0) return midnight
  // A clock change happened since midnight. A large error means the previous evening, a small one means after
  // midnight.
  return new Date(midnight.getTime() + (error > DAY_MS / 2 ? DAY_MS - error : -error))
}

function sinceMidnightMs(instant: Date, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const de = (tipo: string): number => Number(parts.find(({ type }) => type === tipo)?.value ?? 0)
  return ((de('hour') * 60 + de('minute')) * 60 + de('second')) * 1000 + (instant.getTime() % 1000)
}
