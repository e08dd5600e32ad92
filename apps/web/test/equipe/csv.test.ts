import { describe, expect, it } from 'vitest'
import { toCsv } from '#shared/download.ts'
import { checkPeriod, formatPeriod, todayIn, periodOf, shiftDays } from '#features/equipe/relatorio/period.ts'
import { formatDuration } from '#shared/data/duration.ts'
import { axisTopOf } from '#features/equipe/relatorio/charts.tsx'
import { relatorioFileName, relatorioToCsv } from '#features/equipe/relatorio/relatorio.tsx'
import { makeRelatorio } from './samples.ts'

const raw = (celula: string | number | null): string => toCsv([[celula]]).slice(1, -2)

describe('toCsv', () => {
  it('starts with a BOM, quotes cells and separates with ; and CRLF', () => {
    expect(
      toCsv([
        ['Nome', 'Nota'],
        ['Ação', 4.5],
      ]),
    ).toBe('\uFEFF"Nome";"Nota"\r\n"Ação";"4,5"\r\n')
  })

  it.each([
    ['=1+1', "'=1+1"],
    ['+55 11', "'+55 11"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t=1"],
    ['=HYPERLINK("http://x";"y")', `'=HYPERLINK(""http://x"";""y"")`],
    ['\r=1', "'\r=1"],
    ['Ana, =1+1,-2', "Ana, '=1+1,'-2"],
    ['＝1+1', "'＝1+1"],
  ])('keeps %j from being a formula', (text, written) => {
    expect(raw(text)).toBe(`"${written}"`)
  })

  it.each([
    ['a;b', '"a;b"'],
    ['diz "oi"', '"diz ""oi"""'],
    ['duas\nlinhas', '"duas\nlinhas"'],
    [' com espaço ', '" com espaço "'],
    ['Padaria = pão', '"Padaria = pão"'],
    ['', '""'],
  ])('keeps %j in one cell', (text, written) => {
    expect(raw(text)).toBe(written)
  })

  it('writes numbers, negative ones too, as numbers, and null as empty', () => {
    expect([raw(1234.5), raw(-3), raw(0), raw(null), raw(Number.NaN)]).toEqual(['"1234,5"', '"-3"', '"0"', '""', '""'])
  })
})

describe('Relatório as CSV', () => {
  const lines = relatorioToCsv(makeRelatorio('2026-11-20', '2026-11-21'), (id) => `Setor ${id}`).split('\r\n')
  const emAspas = (line: string): string => `"${line.replaceAll(';', '";"')}"`

  it('labels each row with its subject', () => {
    expect(lines[0]).toBe(
      `\uFEFF${emAspas('Grupo;Nome;Conversas;Finalizadas;Sem resposta;Primeira resposta (min);Metade esperou até (min);Da fila ao fim (min);Avaliações;Nota média')}`,
    )
    expect(lines[1]).toBe(emAspas('Total;20/11/2026 a 21/11/2026;43;40;7;2,17;1,5;65;80;4,29'))
    expect(lines[2]).toBe(emAspas('Dia;20/11/2026;18;17;;1,58;;25;3;4,3'))
    expect(lines).toContain(emAspas('Setor;Setor geral;3;0;;;;;0;'))
  })

  it('keeps the name of a person from being a formula', () => {
    expect(lines.at(-2)).toBe(`"Pessoa";"'=HYPERLINK(""http://x"")";"230";"40";"7";"2,17";"1,5";"65";"80";""`)
  })

  it('names the file by its days', () => {
    expect(relatorioFileName({ de: '2026-11-01', ate: '2026-11-21' })).toBe(
      'balcao-relatorio-2026-11-01-a-2026-11-21.csv',
    )
  })
})

describe('Duration in words', () => {
  it.each([
    [0, '0 s'],
    [45_400, '45 s'],
    [59_600, '1 min'],
    [130_000, '2 min 10 s'],
    [833_000, '14 min'],
    [3_599_600, '1 h 00 min'],
    [3_900_000, '1 h 05 min'],
    [86_399_000, '1 dia'],
    [97_200_000, '1 dia 3 h'],
    [183_600_000, '2 dias 3 h'],
    [-5, '0 s'],
  ])('formats %d ms as %s', (ms, said) => {
    expect(formatDuration(ms)).toBe(said)
  })
})

describe('Period of a relatório', () => {
  it('uses the days of the account, wherever the reader is', () => {
    const tarde = new Date('2026-11-21T02:30:00.000Z')
    expect(todayIn('America/Sao_Paulo', tarde)).toBe('2026-11-20')
    expect(todayIn('America/Noronha', tarde)).toBe('2026-11-21')
    expect(todayIn('Marte/Olympus', tarde)).toMatch(/^2026-11-2[01]$/)
  })

  it('computes the named periods', () => {
    const today = '2026-03-01'
    expect(periodOf('hoje', today)).toEqual({ de: today, ate: today })
    expect(periodOf('7dias', today)).toEqual({ de: '2026-02-23', ate: today })
    expect(periodOf('30dias', today)).toEqual({ de: '2026-01-31', ate: today })
    expect(periodOf('ontem', today)).toEqual({ de: '2026-02-28', ate: '2026-02-28' })
    expect(periodOf('semanaPassada', '2026-11-22')).toEqual({ de: '2026-11-09', ate: '2026-11-15' })
    expect(periodOf('semanaPassada', '2026-11-23')).toEqual({ de: '2026-11-16', ate: '2026-11-22' })
    expect(periodOf('mesPassado', today)).toEqual({ de: '2026-02-01', ate: '2026-02-28' })
    expect(shiftDays('2028-02-28', 1)).toBe('2028-02-29')
  })

  it('refuses an invalid period', () => {
    expect(checkPeriod({ de: '2026-11-01', ate: '2026-11-21' })).toEqual({})
    expect(checkPeriod({ de: '2026-01-01', ate: '2027-01-01' })).toEqual({})
    expect(checkPeriod({ de: '2026-01-01', ate: '2027-01-02' })).toEqual({ ate: 'Escolha no máximo 366 dias' })
    expect(checkPeriod({ de: '2026-11-02', ate: '2026-11-01' })).toHaveProperty('ate')
    expect(checkPeriod({ de: '', ate: '2026-11-01' })).toEqual({ de: 'Escolha a data inicial' })
    expect(checkPeriod({ de: '2026-11-01', ate: '' })).toEqual({ ate: 'Escolha a data final' })
  })

  it('formats days the Brazilian way', () => {
    expect(formatPeriod({ de: '2026-11-01', ate: '2026-11-21' })).toBe('01/11/2026 a 21/11/2026')
    expect(formatPeriod({ de: '2026-11-01', ate: '2026-11-01' })).toBe('01/11/2026')
  })

  it('rounds the top of the chart', () => {
    expect([0, 5, 6, 25, 26, 51, 100, 748].map(axisTopOf)).toEqual([5, 5, 6, 25, 30, 60, 100, 800])
  })
})
