import { createBoundedCache } from './bounded-cache.ts'

interface CachedDay {
  readonly minute: number
  readonly day: string
}

/** Zones are compared without case, so owners may invent any number of spellings. */
const ZONES_CACHED = 1_000
const formats = createBoundedCache<Intl.DateTimeFormat>(ZONES_CACHED)
const cachedDays = createBoundedCache<CachedDay>(ZONES_CACHED)

/**
 * Returns the local day as `AAAA-MM-DD`. Cached per time zone and minute, because the hot path needs it for every
 * message.
 */
export function localDay(now: Date, timeZone: string): string {
  const minute = Math.floor(now.getTime() / 60_000)
  const cached = cachedDays.get(timeZone)
  if (cached?.minute === minute) return cached.day
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
  formats.set(timeZone, format)
  const day = format.format(now)
  cachedDays.set(timeZone, { minute, day })
  return day
}

/** Resolves with the work or after `ms`, whichever is first. The work continues. Rejects if the work rejects in time. */
export async function waitAtMost(ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: deadline, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([work, deadline])
  } finally {
    clearTimeout(timer)
  }
}

const DAY_MS = 24 * 3_600_000
/** A suspended machine also moves the clock, so a weekend at most is not suspicious. */
const JUMP_MS = 3 * DAY_MS

/**
 * Detects a clock that was set ahead. Deletions by age then wait a day, in which an administrator can correct the
 * clock.
 */
export class ClockJumps {
  readonly #now: () => Date
  readonly #elapsed: () => number
  #ahead: number
  #heldUntil = -Infinity

  /** `elapsed`: milliseconds of a monotonic clock. Default: `performance.now`. */
  constructor(now: () => Date, elapsed = (): number => performance.now()) {
    this.#now = now
    this.#elapsed = elapsed
    this.#ahead = now().getTime() - elapsed()
  }

  /** True for a day after the clock moved more than 3 days further than the time since the last call. */
  held(): boolean {
    const elapsed = this.#elapsed()
    const ahead = this.#now().getTime() - elapsed
    if (ahead - this.#ahead > JUMP_MS) this.#heldUntil = elapsed + DAY_MS
    this.#ahead = ahead
    return elapsed < this.#heldUntil
  }
}

/** Milliseconds since 1970 in a UUIDv7. */
export function uuidTime(uuid: string): number {
  return Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16)
}

/** The smallest UUIDv7 of this instant. */
export function uuidAt(ms: number): string {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}
