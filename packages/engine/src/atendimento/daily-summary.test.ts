import { defaultConfig } from '@balcao/contract/defaults'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shiftDay } from '#rules/horario.ts'
import { type DaySummary, isSummaryNeeded, nextSummaryAt, planSummary, summaryText } from './daily-summary.ts'

const HOUR = 3_600_000
const rulesOf = (hora: string, fuso = 'America/Sao_Paulo', ativo = true) => {
  const { horario } = defaultConfig().atendimento
  return { horario: { ...horario, fuso }, resumoDiario: { ativo, hora, telefone: '11987654321' } }
}
const next = (rules: ReturnType<typeof rulesOf>, now: string): string | undefined => {
  const at = nextSummaryAt(rules, Date.parse(now))
  return at === null ? undefined : new Date(at).toISOString()
}
const DAY: DaySummary = {
  ...{ dia: '2026-11-27', escreveram: 20, conversas: 12, semResposta: 2, medianaMs: 4 * 60_000 },
  ...{ avaliacoes: 5, notaMedia: 4.6, maisEsperou: { nome: 'Marina', ms: 72 * 60_000 } },
}

describe('nextSummaryAt', () => {
  it('finds the hour of today, then of tomorrow, and none while it is off', () => {
    expect(next(rulesOf('08:00'), '2026-11-28T10:59:59.999Z')).toBe('2026-11-28T11:00:00.000Z')
    expect(next(rulesOf('08:00'), '2026-11-28T11:00:00.000Z')).toBe('2026-11-29T11:00:00.000Z')
    expect(next(rulesOf('08:00', 'Asia/Tokyo'), '2026-11-28T11:00:00.000Z')).toBe('2026-11-28T23:00:00.000Z')
    expect(nextSummaryAt(rulesOf('08:00', 'America/Sao_Paulo', false), 0)).toBeNull()
  })

  it('keeps the local hour when the clocks change', () => {
    const rules = rulesOf('08:00', 'America/New_York')
    expect(next(rules, '2026-03-07T13:00:00Z')).toBe('2026-03-08T12:00:00.000Z')
    expect(next(rules, '2026-10-31T12:00:00Z')).toBe('2026-11-01T13:00:00.000Z')
  })

  it('comes once on each local day, also at an hour that the clocks skip or repeat', () => {
    const zones = fc.constantFrom(
      'America/New_York',
      'America/Sao_Paulo',
      'Europe/Lisbon',
      'Australia/Lord_Howe',
      'UTC',
    )
    const hours = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '59'))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`)
    fc.assert(
      fc.property(zones, hours, fc.integer({ min: 0, max: 3 }), (fuso, hora, quarter) => {
        const rules = rulesOf(hora, fuso)
        let now = Date.UTC(2026, quarter * 3, 1, 12)
        let handled: string | null = null
        const days: string[] = []
        for (let n = 0; n < 95; n += 1) {
          const at = nextSummaryAt(rules, now) ?? Infinity
          expect(at - now).toBeLessThanOrEqual(26 * HOUR)
          now = at
          // Skipped: the timer was early by the change of the clocks, and runs again at the hour.
          const plan = planSummary(rules, handled, now)
          if (plan.tipo === 'esperar') continue
          days.push(plan.dia)
          handled = plan.dia
        }
        days.forEach((day, index) => {
          const before = days[index - 1]
          if (before !== undefined) expect(day > before).toBe(true)
        })
        expect(days.length).toBeGreaterThanOrEqual(94)
      }),
      { numRuns: 40 },
    )
  })
})

describe('planSummary', () => {
  const at = (time: string): number => Date.parse(`2026-11-28T${time}-03:00`)

  it('reports yesterday once, also when it is late, and never before the hour', () => {
    const rules = rulesOf('08:00')
    expect(planSummary(rules, null, at('08:00:00'))).toEqual({ tipo: 'enviar', dia: '2026-11-27' })
    expect(planSummary(rules, '2026-11-26', at('23:59:00'))).toEqual({ tipo: 'enviar', dia: '2026-11-27' })
    expect(planSummary(rules, '2026-11-27', at('18:00:00'))).toEqual({ tipo: 'esperar' })
    expect(planSummary(rules, null, at('07:59:59'))).toEqual({ tipo: 'esperar' })
  })
})

describe('summary of a day', () => {
  it('is not needed when the shop was closed and no customer wrote', () => {
    const { horario } = rulesOf('08:00')
    const quiet = { ...DAY, escreveram: 0, conversas: 0 }
    const on = (dia: string, day = quiet) => isSummaryNeeded({ horario }, { ...day, dia })
    expect(shiftDay('2026-11-29', 0).dia).toBe('dom')
    expect([on('2026-11-27'), on('2026-11-29'), on('2026-11-29', DAY)]).toEqual([true, false, true])
    expect(on('2026-11-29', { ...quiet, escreveram: 1 })).toBe(true)
  })

  it('names customers, waits, unanswered, rating and the longest wait', () => {
    expect(summaryText(DAY).split('\n')).toEqual([
      '☀️ *Ontem na sua loja* (27/11)',
      '👥 Clientes atendidos por pessoas: 12',
      '⏳ Metade esperou até 4 min',
      '🔕 Sem resposta: 2',
      '⭐ Nota: 4,6 (5 avaliações)',
      '🐢 Quem mais esperou: Marina (1 h 12 min)',
    ])
  })

  it('says so when only the bot served, and when no customer wrote', () => {
    const none = { ...DAY, conversas: 0, semResposta: 0, medianaMs: null, notaMedia: null, maisEsperou: null }
    expect(summaryText(none)).toContain('O bot atendeu 20 clientes')
    expect(summaryText({ ...none, escreveram: 0 })).toMatch(/Ninguém escreveu\.$/)
  })

  it('keeps a name to one line without placeholders', () => {
    const name = (nome: string) =>
      summaryText({ ...DAY, maisEsperou: { nome, ms: 1 } })
        .split('\n')
        .at(-1)
    expect(name('{telefone}\n\nAna')).toBe('🐢 Quem mais esperou: telefone Ana (menos de 1 min)')
    expect(name('x'.repeat(999))?.length).toBeLessThan(90)
  })
})
