import { dayAfter, instantOf } from '#shared/form/local-time.ts'

/** A paused produto stays in the list and cannot be ordered. */
export function isPaused(until: string | undefined): boolean {
  return until !== undefined && Date.parse(until) > Date.now()
}

/** The start of the next day of the conta. */
export function tomorrow(): string {
  return new Date(instantOf(`${dayAfter(Date.now(), 1)}T00:00`)).toISOString()
}
