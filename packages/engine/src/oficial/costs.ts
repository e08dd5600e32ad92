import { shiftDay } from '#rules/horario.ts'

/**
 * Service messages that Meta gives each number per month. Later ones are charged since 2026-10-01. Meta publishes the
 * figure with its prices and sends no counter.
 */
export const FREE_PER_MONTH = 1_000

export const COST_KINDS = ['cobrada', 'gratuita', 'anuncio'] as const
export type CostKind = (typeof COST_KINDS)[number]

/** The `pricing` object of a status, and the origin in its `conversation` object. */
export interface MetaPricing {
  readonly billable?: boolean | undefined
  readonly type?: string | undefined
  readonly category: string
  readonly conversationOrigin?: string | undefined
}

const FROM_ADVERTISEMENT = 'referral_conversion'

/** A charged message counts as charged, even after an advertisement. Without `billable` only the type `regular` is charged. */
export function costKind({ billable, type, category, conversationOrigin }: MetaPricing): CostKind {
  if (billable ?? type === 'regular') return 'cobrada'
  const free = type === 'free_entry_point' || [category, conversationOrigin].includes(FROM_ADVERTISEMENT)
  return free ? 'anuncio' : 'gratuita'
}

const MILLIONTHS_PER_CENT = 10_000

/** Rounds half up. `millionths` is not negative. */
export function centsOf(millionths: number): number {
  return Math.floor((millionths + MILLIONTHS_PER_CENT / 2) / MILLIONTHS_PER_CENT)
}

const DAY_MS = 86_400_000

export interface MonthSpan {
  /** First day, as `AAAA-MM-DD`. */
  readonly from: string
  /** First day of the next month. */
  readonly until: string
  readonly days: number
}

/** `month` is `AAAA-MM`. */
export function monthSpan(month: string): MonthSpan {
  const from = `${month}-01`
  // The 32nd day of a month is one of the first days of the next.
  const until = `${shiftDay(from, 31).data.slice(0, 7)}-01`
  return { from, until, days: (Date.parse(until) - Date.parse(from)) / DAY_MS }
}

export interface SpentMonth {
  readonly month: string
  /** The current local day. */
  readonly today: string
  readonly millionths: number
}

/** Cents at the end of the month, if each day costs as the days so far. Other months keep their value. */
export function forecastCents({ month, today, millionths }: SpentMonth): number {
  if (today.slice(0, 7) !== month) return centsOf(millionths)
  const daysSoFar = Number(today.slice(8))
  return centsOf((millionths * monthSpan(month).days) / daysSoFar)
}

const FREE_MARKS = [80, 100] as const
export type FreeMark = (typeof FREE_MARKS)[number]

/** The percentages of the free messages that `used` messages reach. */
export function reachedMarks(used: number): FreeMark[] {
  return FREE_MARKS.filter((percent) => used * 100 >= FREE_PER_MONTH * percent)
}
