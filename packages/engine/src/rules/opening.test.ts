import { defaultHorario } from '@balcao/contract/defaults'
import type { Horario } from '@balcao/contract/entities/config'
import { describe, expect, it } from 'vitest'
import { describeOpening, nextOpeningAt, openingStateAt } from './opening.ts'
import { isOpenAt } from './horario.ts'

/** São Paulo is at UTC−3. */
const em = (local: string): number => Date.parse(`${local}:00-03:00`)
const padrao = defaultHorario(2026)
const com = (fields: Partial<Horario['dias']>, excecoes: Horario['excecoes'] = []): Horario => ({
  ...padrao,
  dias: { ...padrao.dias, ...fields },
  excecoes,
})
const sempre = [{ inicio: '00:00', fim: '24:00' }]
const week = (intervals: Horario['dias']['seg']): Horario => ({
  ...padrao,
  dias: {
    seg: intervals,
    ter: intervals,
    qua: intervals,
    qui: intervals,
    sex: intervals,
    sab: intervals,
    dom: intervals,
  },
  excecoes: [],
})

describe('nextOpeningAt', () => {
  it('returns the instant of the next opening, or null while the shop is open', () => {
    expect(nextOpeningAt(padrao, em('2026-11-20T19:30'))).toBe(em('2026-11-23T08:00'))
    expect(nextOpeningAt(padrao, em('2026-11-23T10:00'))).toBeNull()
    expect(nextOpeningAt(week([]), em('2026-11-23T10:00'))).toBeNull()
  })

  it('counts a change of the clocks before the opening', () => {
    const newYork = { ...week([{ inicio: '08:00', fim: '18:00' }]), fuso: 'America/New_York' }
    expect(nextOpeningAt(newYork, Date.parse('2026-10-31T20:00:00-04:00'))).toBe(
      Date.parse('2026-11-01T08:00:00-05:00'),
    )
  })
})

describe('descreverAgora', () => {
  it.each([
    ['a working day', padrao, '2026-11-23T10:00', 'aberto, fecha às 18:00'],
    ['the time before opening', padrao, '2026-11-23T07:59', 'fechado, abre às 08:00'],
    ['the closing minute', padrao, '2026-11-23T18:00', 'fechado, abre amanhã às 08:00'],
    ['the weekend', padrao, '2026-11-21T12:00', 'fechado, abre segunda às 08:00'],
    ['a holiday by name', padrao, '2026-12-25T12:00', 'fechado (Natal), abre segunda às 08:00'],
    [
      'a break at noon',
      com({
        seg: [
          { inicio: '08:00', fim: '12:00' },
          { inicio: '13:30', fim: '18:00' },
        ],
      }),
      '2026-11-23T12:30',
      'fechado, abre às 13:30',
    ],
    [
      'an evening that closes after midnight',
      com({ sab: [{ inicio: '20:00', fim: '02:00' }] }),
      '2026-11-21T23:00',
      'aberto, fecha amanhã às 02:00',
    ],
    [
      'the hours after midnight',
      com({ sab: [{ inicio: '20:00', fim: '02:00' }] }),
      '2026-11-22T01:00',
      'aberto, fecha às 02:00',
    ],
    [
      'a day that closes at midnight',
      com({ sab: [{ inicio: '20:00', fim: '24:00' }] }),
      '2026-11-21T23:00',
      'aberto, fecha à meia-noite',
    ],
    [
      'adjoining days as one opening',
      com({ sex: sempre, sab: sempre }),
      '2026-11-20T23:00',
      'aberto, fecha domingo às 00:00',
    ],
    [
      'a closure of several weeks',
      com({ seg: [], ter: [], qua: [], qui: [], sex: [] }, [
        { data: '2026-12-14', nome: '', intervalos: [{ inicio: '09:00', fim: '12:00' }] },
      ]),
      '2026-11-23T10:00',
      'fechado, abre em 14/12 às 09:00',
    ],
    ['a shop that never closes', week(sempre), '2026-11-23T10:00', 'aberto o tempo todo'],
    ['a shop that never opens', week([]), '2026-11-23T10:00', 'fechado, sem hora para abrir'],
  ])('describes %s', (_caso, horario, local, sentence) => {
    expect(describeOpening(horario, em(local))).toBe(sentence)
  })

  it('predicts the changes of estaAberto for every minute of a week', () => {
    const horario = com({ qua: [{ inicio: '22:00', fim: '06:00' }], qui: [{ inicio: '05:00', fim: '11:00' }] }, [
      { data: '2026-11-27', nome: 'Inventário', intervalos: [] },
    ])
    let previsto: { readonly aberto: boolean; readonly data: string; readonly minuto: number } | null = null
    for (let t = em('2026-11-23T00:00'); t < em('2026-11-30T00:00'); t += 60_000) {
      const { open, change } = openingStateAt(horario, t)
      expect(open).toBe(isOpenAt(horario, t))
      if (previsto !== null && previsto.aberto !== open) {
        const [data, hour = ''] = new Date(t - 3 * 3_600_000).toISOString().split('T')
        const minuto = Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3, 5))
        expect({ data, minuto }).toEqual({ data: previsto.data, minuto: previsto.minuto })
      }
      previsto = change === null ? null : { aberto: open, data: change.data, minuto: change.minuto }
    }
  })
})
