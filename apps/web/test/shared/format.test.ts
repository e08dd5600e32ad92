import { afterEach, describe, expect, it } from 'vitest'
import { formatDateTime, formatIsoDate, formatNumber, formatPercent, initialOf } from '#shared/format.ts'
import { setContaZone, DEFAULT_ZONE } from '#shared/time-zone.ts'

afterEach(() => setContaZone(DEFAULT_ZONE))

describe('formatNumber', () => {
  it('formats like the browser, with at most one decimal', () => {
    const comoONavegador = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
    for (const value of [0, 7, 999, 1000, 1742, 10_000, 1_234_567, 0.25, 74.2, 99.96, 1299.5, -3, -1742.25]) {
      expect(formatNumber(value)).toBe(comoONavegador.format(value))
    }
    expect(formatPercent(74.2)).toBe('74,2%')
  })
})

describe('Formats of instants', () => {
  it('uses the zone of the account, whatever the browser’s is', () => {
    const instant = '2026-03-10T02:04:00.000Z'
    expect(formatDateTime(instant)).toBe('09/03/2026, 23:04')
    setContaZone('America/Rio_Branco')
    expect(formatDateTime(instant)).toBe('09/03/2026, 21:04')
    setContaZone('Pacific/Kiritimati')
    expect(formatIsoDate(instant)).toBe('2026-03-10')
  })

  it('formats in the browser’s zone when it does not know the account’s', () => {
    setContaZone('America/Lugar_Nenhum')
    expect(formatDateTime('2026-03-10T12:00:00.000Z')).toMatch(/^\d{2}\/03\/2026, \d{2}:00$/)
  })
})

describe('Initial of a name', () => {
  it.each([
    ['ana', 'A'],
    ['  élton', 'É'],
    ['e\u0301lton', 'E\u0301'],
    ['👩‍🍳 Padaria', '👩‍🍳'],
    ['', '?'],
  ])('takes from %s the initial %s', (name, letter) => expect(initialOf(name)).toBe(letter))
})
