import { afterEach, describe, expect, it } from 'vitest'
import { formatDateTime, formatIsoDate, formatNumber, formatPercent, inicialDe } from '#shared/format.ts'
import { usarZona, ZONA_PADRAO } from '#shared/zona.ts'

afterEach(() => usarZona(ZONA_PADRAO))

describe('numbers', () => {
  it('are as the browser would write them, with one decimal at most', () => {
    const comoONavegador = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 })
    for (const valor of [0, 7, 999, 1000, 1742, 10_000, 1_234_567, 0.25, 74.2, 99.96, 1299.5, -3, -1742.25]) {
      expect(formatNumber(valor)).toBe(comoONavegador.format(valor))
    }
    expect(formatPercent(74.2)).toBe('74,2%')
  })
})

describe('instants', () => {
  it('are told in the zone of the account, whatever the browser’s is', () => {
    const instante = '2026-03-10T02:04:00.000Z'
    expect(formatDateTime(instante)).toBe('09/03/2026, 23:04')
    usarZona('America/Rio_Branco')
    expect(formatDateTime(instante)).toBe('09/03/2026, 21:04')
    usarZona('Pacific/Kiritimati')
    expect(formatIsoDate(instante)).toBe('2026-03-10')
  })

  it('are told all the same by a browser that does not know the zone', () => {
    usarZona('America/Lugar_Nenhum')
    expect(formatDateTime('2026-03-10T12:00:00.000Z')).toMatch(/^\d{2}\/03\/2026, \d{2}:00$/)
  })
})

describe('the letter of somebody', () => {
  it.each([
    ['ana', 'A'],
    ['  élton', 'É'],
    ['e\u0301lton', 'E\u0301'],
    ['👩‍🍳 Padaria', '👩‍🍳'],
    ['', '?'],
  ])('%s is %s', (nome, letra) => expect(inicialDe(nome)).toBe(letra))
})
