import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { centsOf, costKind, FREE_PER_MONTH, forecastCents, monthSpan, reachedMarks } from './costs.ts'
import { countryOf } from './country.ts'

describe('costKind', () => {
  it('takes `billable` first and the type without it', () => {
    expect(costKind({ billable: true, type: 'regular', category: 'service' })).toBe('cobrada')
    expect(costKind({ type: 'regular', category: 'marketing' })).toBe('cobrada')
    expect(costKind({ billable: false, type: 'free_customer_service', category: 'service' })).toBe('gratuita')
    expect(costKind({ category: 'service' })).toBe('gratuita')
  })

  it('names free messages after an advertisement', () => {
    expect(costKind({ billable: false, type: 'free_entry_point', category: 'service' })).toBe('anuncio')
    expect(costKind({ billable: false, category: 'referral_conversion' })).toBe('anuncio')
    expect(costKind({ billable: false, category: 'service', conversationOrigin: 'referral_conversion' })).toBe(
      'anuncio',
    )
    expect(costKind({ billable: true, category: 'marketing', conversationOrigin: 'referral_conversion' })).toBe(
      'cobrada',
    )
  })
})

describe('centsOf', () => {
  it('rounds half up', () => {
    expect([0, 4_999, 5_000, 14_999, 15_000, 34_000].map(centsOf)).toEqual([0, 0, 1, 1, 2, 3])
  })
})

describe('monthSpan', () => {
  it('counts the days of each month', () => {
    expect(monthSpan('2026-11')).toEqual({ from: '2026-11-01', until: '2026-12-01', days: 30 })
    expect(monthSpan('2026-12')).toEqual({ from: '2026-12-01', until: '2027-01-01', days: 31 })
    expect([monthSpan('2027-02').days, monthSpan('2028-02').days]).toEqual([28, 29])
  })
})

describe('forecastCents', () => {
  it('extends the days so far to the end of the current month', () => {
    expect(forecastCents({ month: '2026-11', today: '2026-11-10', millionths: 5_000_000 })).toBe(1_500)
    expect(forecastCents({ month: '2026-11', today: '2026-11-30', millionths: 5_000_000 })).toBe(500)
    expect(forecastCents({ month: '2026-11', today: '2026-11-01', millionths: 0 })).toBe(0)
  })

  it('rounds only its own result', () => {
    expect(forecastCents({ month: '2026-11', today: '2026-11-01', millionths: 3_400 })).toBe(10)
  })

  it('keeps the value of a past or future month', () => {
    expect(forecastCents({ month: '2026-10', today: '2026-11-10', millionths: 5_000_000 })).toBe(500)
    expect(forecastCents({ month: '2026-12', today: '2026-11-10', millionths: 5_000_000 })).toBe(500)
  })

  it('is never below the value of the month', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 31 }), fc.nat(1_000_000_000), (day, millionths) => {
        const today = `2026-10-${String(day).padStart(2, '0')}`
        expect(forecastCents({ month: '2026-10', today, millionths })).toBeGreaterThanOrEqual(centsOf(millionths))
      }),
    )
  })
})

describe('reachedMarks', () => {
  it('reaches 80 and 100 percent exactly', () => {
    const used = [FREE_PER_MONTH * 0.8 - 1, FREE_PER_MONTH * 0.8, FREE_PER_MONTH - 1, FREE_PER_MONTH]
    expect(used.map(reachedMarks)).toEqual([[], [80], [80], [80, 100]])
  })
})

describe('countryOf', () => {
  it('reads the calling code of a number and the prefix of an id', () => {
    const recipients = ['5511987654321', '351912345678', '12025550123', '77011234567', '79161234567', 'BR.1349120865']
    expect(recipients.map(countryOf)).toEqual(['BR', 'PT', 'US', 'KZ', 'RU', 'BR'])
    expect(['', '999123', 'x'].map(countryOf)).toEqual(['', '', ''])
  })
})
