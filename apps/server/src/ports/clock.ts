export interface Clock {
  readonly now: () => Date
  /** Milliseconds of a monotonic clock that also counts while the machine is suspended. Default: `performance.now`. */
  readonly elapsed?: () => number
  /**
   * Receives the time of the database. `askedAt`: when the question left, by the monotonic clock. Absent: the clock
   * follows no database.
   */
  readonly observe?: (database: Date, askedAt: number) => void
  /** Seconds by which the clock of the system is ahead of this one. */
  readonly systemAheadS?: () => number
}
