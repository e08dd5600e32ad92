import { describe, expect, it } from 'vitest'
import { reconnectDelayMs, Reconnects } from './reconnect.ts'

describe('Reconnects', () => {
  const at = (stableMs: number) => {
    let now = 0
    const delays = (attempt: number): number => attempt
    return { pass: (ms: number) => (now += ms), reconnects: new Reconnects({ stableMs, delays, now: () => now }) }
  }

  it('counts restarts and attempts until a connection was stable', () => {
    const { reconnects, pass } = at(30_000)
    expect(reconnects.closed('restart')).toMatchObject({ restartedAgain: false })
    reconnects.opened()
    pass(29_999)
    expect(reconnects.closed('restart')).toMatchObject({ restartedAgain: true })
    expect([reconnects.nextDelayMs(), reconnects.nextDelayMs()]).toEqual([0, 1])
    reconnects.opened()
    pass(30_000)
    expect(reconnects.closed('restart')).toMatchObject({ restartedAgain: false })
    expect(reconnects.nextDelayMs()).toBe(0)
  })

  it('reports a second replacement within ten minutes', () => {
    const { reconnects, pass } = at(0)
    expect(reconnects.closed('replaced')).toMatchObject({ replacedAgain: false })
    pass(599_999)
    expect(reconnects.closed('replaced')).toMatchObject({ replacedAgain: true })
    pass(600_000)
    expect(reconnects.closed('replaced')).toMatchObject({ replacedAgain: false })
  })
})

describe('reconnectDelayMs', () => {
  it('doubles the delay up to 60 s with jitter over the upper half', () => {
    expect([0, 1, 2, 3].map((n) => reconnectDelayMs(n, () => 1))).toEqual([1_000, 2_000, 4_000, 8_000])
    expect(reconnectDelayMs(0, () => 0)).toBe(500)
    expect(reconnectDelayMs(1_000, () => 1)).toBe(60_000)
  })
})
