import { DIAS } from '@balcao/contract/constants'
import { defaultHorario } from '@balcao/contract/defaults'
import type { Horario } from '@balcao/contract/entities/config'
import { describe, expect, it } from 'vitest'
import { describeHorario, isOpenAt, localMinuteAt, closedPeriodId } from './horario.ts'

/** Instant of a local time in São Paulo, at UTC−3 all year since 2019. */
const sp = (local: string): number => Date.parse(`${local}:00-03:00`)
const padrao = defaultHorario(2026)
const todoDia = (inicio: string, fim: string): Horario => ({
  ...padrao,
  dias: { seg: [], ter: [], qua: [], qui: [], sex: [], sab: [], dom: [], ...cada([{ inicio, fim }]) },
  excecoes: [],
})
const cada = (intervals: Horario['dias']['seg']) => Object.fromEntries(DIAS.map((day) => [day, intervals]))

describe('localDe', () => {
  it('returns day and minute in the time zone', () => {
    expect(localMinuteAt(sp('2026-11-23T00:05'), 'America/Sao_Paulo')).toEqual({
      data: '2026-11-23',
      dia: 'seg',
      minuto: 5,
    })
    expect(localMinuteAt(sp('2026-11-23T00:05'), 'America/Manaus')).toEqual({
      data: '2026-11-22',
      dia: 'dom',
      minuto: 1385,
    })
    expect(localMinuteAt(Date.UTC(2028, 1, 29, 12), 'Asia/Kolkata')).toEqual({
      data: '2028-02-29',
      dia: 'ter',
      minuto: 1050,
    })
  })

  it('follows daylight saving in both directions', () => {
    const after = Date.UTC(2026, 6, 1, 12)
    const before = Date.UTC(2026, 0, 1, 12)
    expect(localMinuteAt(after, 'Europe/Lisbon').minuto).toBe(13 * 60)
    expect(localMinuteAt(before, 'Europe/Lisbon').minuto).toBe(12 * 60)
    expect(localMinuteAt(after, 'Europe/Lisbon').minuto).toBe(13 * 60)
  })

  it('uses the default time zone for an unknown one', () => {
    expect(localMinuteAt(sp('2026-11-23T10:00'), 'Marte/Olimpo')).toEqual({
      data: '2026-11-23',
      dia: 'seg',
      minuto: 600,
    })
  })
})

describe('estaAberto', () => {
  it.each([
    ['2026-11-23T07:59', false],
    ['2026-11-23T08:00', true],
    ['2026-11-23T17:59', true],
    ['2026-11-23T18:00', false],
    ['2026-11-22T10:00', false], // Sunday
    ['2026-12-25T10:00', false], // Christmas, a Friday
    ['2027-01-01T10:00', false],
  ])('with the default hours at %s returns %s', (local, open) => {
    expect(isOpenAt(padrao, sp(local))).toBe(open)
  })

  it.each([
    ['2026-11-23T17:59', false],
    ['2026-11-23T18:00', true],
    ['2026-11-23T23:59', true],
    ['2026-11-24T00:00', true],
    ['2026-11-24T01:59', true],
    ['2026-11-24T02:00', false],
  ])('with hours across midnight at %s returns %s', (local, open) => {
    expect(isOpenAt(todoDia('18:00', '02:00'), sp(local))).toBe(open)
  })

  it('is open from 00:00 to 24:00 and closed during a lunch break', () => {
    for (const hour of ['00:00', '12:00', '23:59']) {
      expect(isOpenAt(todoDia('00:00', '24:00'), sp(`2026-11-23T${hour}`))).toBe(true)
    }
    const almoco = [
      { inicio: '08:00', fim: '12:00' },
      { inicio: '13:00', fim: '18:00' },
    ]
    const horario = { ...padrao, dias: { ...padrao.dias, seg: almoco } }
    expect(isOpenAt(horario, sp('2026-11-23T12:00'))).toBe(false)
    expect(isOpenAt(horario, sp('2026-11-23T13:00'))).toBe(true)
  })

  it('prefers an exception to the weekday, open or closed', () => {
    const excecoes = [
      { data: '2026-11-22', nome: 'Feira', intervalos: [{ inicio: '09:00', fim: '12:00' }] },
      { data: '2026-11-23', nome: 'Folga', intervalos: [] },
    ]
    expect(isOpenAt({ ...padrao, excecoes }, sp('2026-11-22T10:00'))).toBe(true)
    expect(isOpenAt({ ...padrao, excecoes }, sp('2026-11-23T10:00'))).toBe(false)
  })
})

describe('periodoFechado', () => {
  it('covers a weekend and adjoining holidays as one period', () => {
    const sexta = closedPeriodId(padrao, sp('2026-11-27T18:00'))
    expect(closedPeriodId(padrao, sp('2026-11-29T15:00'))).toBe(sexta)
    expect(closedPeriodId(padrao, sp('2026-11-30T07:59'))).toBe(sexta)
    expect(closedPeriodId(padrao, sp('2026-11-30T18:00'))).not.toBe(sexta)
    const vespera = closedPeriodId(padrao, sp('2026-12-24T19:00'))
    expect(closedPeriodId(padrao, sp('2026-12-28T07:00'))).toBe(vespera)
  })

  it('starts a new period where hours across midnight end', () => {
    const horario = todoDia('18:00', '02:00')
    const morning = closedPeriodId(horario, sp('2026-11-24T03:00'))
    expect(closedPeriodId(horario, sp('2026-11-24T17:00'))).toBe(morning)
    expect(closedPeriodId(horario, sp('2026-11-25T03:00'))).not.toBe(morning)
  })

  it('returns a constant for a shop that never opens', () => {
    const nunca = { ...padrao, dias: { seg: [], ter: [], qua: [], qui: [], sex: [], sab: [], dom: [] } }
    expect(closedPeriodId(nunca, sp('2026-11-24T03:00'))).toBe(closedPeriodId(nunca, sp('2026-12-24T03:00')))
  })
})

describe('descreverHorario', () => {
  it('groups days with the same hours', () => {
    const morning = [{ inicio: '09:00', fim: '12:30' }]
    const dias = { ...padrao.dias, sab: morning }
    expect(describeHorario({ ...padrao, dias })).toBe('segunda a sexta, das 8h às 18h; sábado, das 9h às 12h30')
    expect(describeHorario({ ...padrao, dias: { ...dias, dom: morning } })).toContain('sábado e domingo, das 9h')
  })

  it('describes a week without opening hours', () => {
    const dias = { seg: [], ter: [], qua: [], qui: [], sex: [], sab: [], dom: [] }
    expect(describeHorario({ ...padrao, dias })).toBe('sem horário de atendimento')
  })
})
