import { LEASE_S } from '#modules/bot/repository.ts'

/** Missed rounds after which the renewals count as stuck. */
const MISSED_ROUNDS = 3
/** This node stops sending 3 s before its lease expires in the database. */
const MARGIN_MS = 3_000

/** Tracks on the local clock how long this node's leases are valid, because the database may be unreachable. */
export interface LeaseClock {
  readonly renewedAt: (since: number) => void
  readonly valid: () => boolean
  readonly roundDone: () => void
  /** True when the last successful round is recent. False before the first one. */
  readonly alive: () => boolean
}

export function createLeaseClock(renewMs: number): LeaseClock {
  let until = 0
  let voltaEm = -Infinity
  return {
    renewedAt: (since) => void (until = since + LEASE_S * 1_000 - MARGIN_MS),
    valid: () => performance.now() < until,
    roundDone: () => void (voltaEm = performance.now()),
    alive: () => performance.now() - voltaEm < MISSED_ROUNDS * renewMs,
  }
}
