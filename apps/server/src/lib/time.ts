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
interface JumpLimits {
  /** A clock that moved further than the elapsed time and this was set. */
  readonly aheadMs: number
  /** A time that stays for so long counts. */
  readonly holdMs: number
}

/** A paused virtual machine also moves the clock, so a weekend at most is not suspicious. */
const FOR_DELETIONS: JumpLimits = { aheadMs: 3 * DAY_MS, holdMs: DAY_MS }

interface WatchedClock {
  readonly now: () => Date
  readonly elapsed?: () => number
}

/** Detects a clock that was set ahead. Work by age then waits, so that an administrator can correct the clock. */
export class ClockJumps {
  readonly #clock: WatchedClock
  readonly #limits: JumpLimits
  #trusted: number
  /** The suspicious difference, and the elapsed time at which it counts. */
  #suspect: { readonly ahead: number; readonly until: number } | null = null

  constructor(clock: WatchedClock, limits = FOR_DELETIONS) {
    this.#clock = clock
    this.#limits = limits
    this.#trusted = clock.now().getTime() - this.#elapsed()
  }

  /** True from a jump until the clock is corrected or keeps its new time for `holdMs`. */
  held(): boolean {
    const { aheadMs, holdMs } = this.#limits
    const elapsed = this.#elapsed()
    const ahead = this.#clock.now().getTime() - elapsed
    if (ahead - this.#trusted > aheadMs) {
      const known = this.#suspect
      if (known === null || ahead - known.ahead > aheadMs) this.#suspect = { ahead, until: elapsed + holdMs }
      if (elapsed < (this.#suspect?.until ?? 0)) return true
    }
    this.#trusted = ahead
    this.#suspect = null
    return false
  }

  #elapsed(): number {
    return this.#clock.elapsed?.() ?? performance.now()
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
