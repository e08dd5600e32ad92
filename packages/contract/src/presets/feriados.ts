/** Brazilian national holidays by Lei 662/1949, 6.802/1980 and 14.759/2023. */

export interface Feriado {
  /** `AAAA-MM-DD`. */
  readonly data: string
  readonly nome: string
}

const FIXED_FERIADOS: readonly (readonly [string, string])[] = [
  ['01-01', 'Confraternização Universal'],
  ['04-21', 'Tiradentes'],
  ['05-01', 'Dia do Trabalho'],
  ['09-07', 'Independência do Brasil'],
  ['10-12', 'Nossa Senhora Aparecida'],
  ['11-02', 'Finados'],
  ['11-15', 'Proclamação da República'],
  ['11-20', 'Dia da Consciência Negra'],
  ['12-25', 'Natal'],
]

/** Easter Sunday by the anonymous Gregorian algorithm. `mes` counts from 1. */
function easterSunday(ano: number): { mes: number; dia: number } {
  const a = ano % 19
  const seculo = Math.floor(ano / 100)
  const rest = ano % 100
  const d = seculo - Math.floor(seculo / 4) - Math.floor((seculo - Math.floor((seculo + 8) / 25) + 1) / 3)
  const h = (19 * a + d + 15) % 30
  const l = (32 + 2 * (seculo % 4) + 2 * Math.floor(rest / 4) - h - (rest % 4)) % 7
  const m = Math.floor((a + 11 * h + 22 * l) / 451)
  const sum = h + l - 7 * m + 114
  return { mes: Math.floor(sum / 31), dia: (sum % 31) + 1 }
}

function daysAfterEaster(ano: number, deslocamento: number): string {
  const { mes, dia } = easterSunday(ano)
  return new Date(Date.UTC(ano, mes - 1, dia + deslocamento)).toISOString().slice(0, 10)
}

export function listFeriados(year: number): Feriado[] {
  const moveis = [{ data: daysAfterEaster(year, -2), nome: 'Sexta-feira Santa' }]
  const fixos = FIXED_FERIADOS.map(([day, nome]) => ({ data: `${year}-${day}`, nome }))
  return [...fixos, ...moveis].toSorted((a, b) => (a.data < b.data ? -1 : 1))
}
