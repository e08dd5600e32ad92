import { describe, expect, it } from 'vitest'
import { DatabaseClock } from './database-clock.ts'

const NOON = Date.UTC(2026, 0, 1, 12)

function createClock({ systemMs = NOON } = {}) {
  let elapsed = 5_000
  let system = systemMs
  const warnings: object[] = []
  const clock = new DatabaseClock({
    system: () => system,
    elapsed: () => elapsed,
    log: { warn: (data) => void warnings.push(data) },
  })
  return {
    ...{ clock, warnings },
    now: () => clock.now().getTime() - NOON,
    /** Time passes, and the clock of the system jumps. */
    pass: (ms: number, jumpMs = 0) => {
      elapsed += ms
      system += ms + jumpMs
    },
    /** An answer of the database that was `aheadMs` after noon in the middle of the round trip. */
    read: (aheadMs: number, roundTripMs = 0) => {
      const askedAt = elapsed
      elapsed += roundTripMs
      system += roundTripMs
      return clock.observe(new Date(NOON + aheadMs), askedAt)
    },
  }
}

describe('DatabaseClock', () => {
  it('begins with the time of the system and then ignores its jumps', () => {
    const { now, pass } = createClock()
    pass(1_000, 3_600_000)
    expect(now()).toBe(1_000)
  })

  it.each([800, -800])('corrects %i ms by 50 ms a second without a step', (difference) => {
    const { now, pass, read, warnings } = createClock()
    read(difference)
    expect(now()).toBe(0)
    pass(10_000)
    expect(now()).toBe(10_000 + Math.sign(difference) * 500)
    pass(10_000)
    expect(now()).toBe(20_000 + difference)
    expect(warnings).toEqual([])
  })

  it.each([3_600_000, -5_000])('corrects %i ms at once and logs it', (difference) => {
    const { now, pass, read, warnings } = createClock()
    read(difference)
    expect(now()).toBe(difference)
    pass(500)
    expect(now()).toBe(difference + 500)
    expect(warnings).toEqual([{ ms: difference }])
  })

  it('takes the middle of a round trip and ignores one of 100 ms', () => {
    const { clock, now, read } = createClock()
    expect(read(5_000, 100)).toBe(false)
    expect(now()).toBe(100)
    expect(read(5_000, 60)).toBe(true)
    expect(now()).toBe(5_030)
    expect(clock.systemAheadS()).toBeCloseTo(-4.87)
  })

  it('continues a correction from where a new reading finds it', () => {
    const { now, pass, read } = createClock()
    read(1_000)
    pass(4_000)
    expect(now()).toBe(4_200)
    // The database is 600 ms ahead of the first reading, not 1,000 ms.
    read(4_600)
    expect(now()).toBe(4_200)
    pass(20_000)
    expect(now()).toBe(24_600)
  })
})
