import { describe, expect, it } from 'vitest'
import { createIds, laterId } from './ids.ts'

const LAST = '019ab000-0000-7000-8000-00000000000f'

describe('laterId', () => {
  it('keeps an own id that is greater', () => {
    expect(laterId('019ab000-0001-7000-8000-000000000000', LAST)).toBe('019ab000-0001-7000-8000-000000000000')
    expect(laterId('019ab000-0000-7000-8000-000000000000', null)).toBe('019ab000-0000-7000-8000-000000000000')
  })

  it('adds one to the last id of the contato otherwise', () => {
    expect(laterId('019a0000-0000-7000-8000-000000000000', LAST)).toBe('019ab000-0000-7000-8000-000000000010')
    expect(laterId(LAST, LAST)).toBe('019ab000-0000-7000-8000-000000000010')
    expect(laterId(LAST, '019ab000-0000-7000-8000-ffffffffffff')).toBe('019ab000-0000-7000-8001-000000000000')
  })
})

describe('createIds', () => {
  it('continues an id from a clock an hour ahead', () => {
    const now = Date.UTC(2026, 0, 1)
    const [ahead, behind] = [now + 3_600_000, now].map((ms) => createIds({ now: () => new Date(ms) }))
    const made: string[] = []
    for (const ids of [ahead, behind, behind, ahead, behind]) made.push(ids?.uuidAfter(made.at(-1) ?? null) ?? '')
    expect(new Set(made).size).toBe(5)
    expect(made).toEqual(made.toSorted())
  })
})
