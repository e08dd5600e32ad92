import { describe, expect, it } from 'vitest'
import { fairShare, StartPace, surplusToMove } from './share.ts'

describe('fairShare', () => {
  it.each([
    [{ own: 10, others: [], free: 5 }, 15],
    [{ own: 10, others: [0], free: 0 }, 5],
    [{ own: 0, others: [0, 0], free: 10 }, 4],
  ])('of %j is %i', (spread, share) => expect(fairShare(spread)).toBe(share))
})

describe('surplusToMove', () => {
  it.each([
    ['alone', { own: 100, others: [], free: 0 }, 0],
    ['within a fifth above the share', { own: 60, others: [45, 45], free: 0 }, 0],
    ['with a small surplus', { own: 2, others: [0], free: 0 }, 1],
    ['with a large surplus', { own: 100, others: [0], free: 0 }, 3],
    ['with a very large surplus', { own: 1_000, others: [0], free: 0 }, 10],
    ['while bots are free', { own: 100, others: [0], free: 1 }, 0],
  ])('%s', (_case, spread, moved) => expect(surplusToMove(spread)).toBe(moved))
})

describe('StartPace', () => {
  it('allows a burst, then ten a second', () => {
    const pace = new StartPace({ burst: 20, perSecond: 10, now: 0 })
    expect(pace.available(0)).toBe(20)
    pace.used(20)
    expect([pace.available(50), pace.available(150), pace.available(1_000)]).toEqual([0, 1, 10])
    expect(pace.available(60_000)).toBe(20)
  })
})
