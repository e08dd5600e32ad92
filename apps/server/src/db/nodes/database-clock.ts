import { uptime } from 'node:os'
import type { Pool } from 'pg'
import type { Clock } from '#ports/clock.ts'

/** An answer that took longer says too little about its moment. */
const ROUND_TRIP_MAX_MS = 100
/** Larger differences are corrected at once. */
const SLEW_MAX_MS = 1_000
/** Milliseconds of correction for each millisecond. */
const SLEW_RATE = 0.05
const READINGS_MAX = 5

export interface DatabaseClockOptions {
  /** The clock of the system, in ms since 1970. It counts only until the first reading of the database. */
  readonly system: () => number
  readonly elapsed?: () => number
  readonly log: { readonly warn: (data: object, message: string) => void }
}

/**
 * The time of the database: that of the last reading plus the monotonic time since. All nodes have the same time, and a
 * clock of a system that is set changes nothing.
 */
export class DatabaseClock implements Clock {
  readonly #options: DatabaseClockOptions
  readonly #elapsed: () => number
  /** Monotonic time of the last reading, the product's time then, and what was missing to that of the database. */
  #reading: { readonly at: number; readonly time: number; readonly missing: number }

  constructor(options: DatabaseClockOptions) {
    this.#options = options
    this.#elapsed = options.elapsed ?? ((): number => performance.now())
    this.#reading = { at: this.#elapsed(), time: options.system(), missing: 0 }
  }

  /** `performance.now` stands still while the machine is suspended. */
  readonly elapsed = (): number => uptime() * 1_000

  readonly now = (): Date => new Date(this.#timeAt(this.#elapsed()))

  readonly observe = (database: Date, askedAt: number): boolean => {
    const at = this.#elapsed()
    const roundTrip = at - askedAt
    if (roundTrip >= ROUND_TRIP_MAX_MS) return false
    const time = this.#timeAt(at)
    const missing = database.getTime() + roundTrip / 2 - time
    if (Math.abs(missing) <= SLEW_MAX_MS) {
      this.#reading = { at, time, missing }
      return true
    }
    this.#reading = { at, time: time + missing, missing: 0 }
    this.#options.log.warn({ ms: Math.round(missing) }, 'clock differs from that of the database, corrected')
    return true
  }

  readonly systemAheadS = (): number => (this.#options.system() - this.#timeAt(this.#elapsed())) / 1_000

  async follow(pool: Pool): Promise<void> {
    for (let reading = 0; reading < READINGS_MAX; reading += 1) {
      const askedAt = this.#elapsed()
      const { rows } = await pool.query<{ agora: Date }>('select clock_timestamp() as agora')
      const [row] = rows
      if (row !== undefined && this.observe(row.agora, askedAt)) return
    }
  }

  #timeAt(elapsed: number): number {
    const { at, time, missing } = this.#reading
    const since = elapsed - at
    return time + since + Math.sign(missing) * Math.min(Math.abs(missing), since * SLEW_RATE)
  }
}
