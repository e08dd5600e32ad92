import type { Dia } from '@balcao/contract/constants'
import type { Horario, Intervalo } from '@balcao/contract/entities/config'

export const WEEK_DAYS: readonly Dia[] = ['seg', 'ter', 'qua', 'qui', 'sex', 'sab', 'dom']

export const DAY_NAME: Readonly<Record<Dia, string>> = {
  seg: 'Segunda-feira',
  ter: 'Terça-feira',
  qua: 'Quarta-feira',
  qui: 'Quinta-feira',
  sex: 'Sexta-feira',
  sab: 'Sábado',
  dom: 'Domingo',
}

export const COPY_TARGETS: readonly { readonly rotulo: string; readonly dias: readonly Dia[] }[] = [
  { rotulo: 'Segunda a sexta', dias: ['seg', 'ter', 'qua', 'qui', 'sex'] },
  { rotulo: 'Sábado e domingo', dias: ['sab', 'dom'] },
  { rotulo: 'Todos os dias', dias: WEEK_DAYS },
  ...WEEK_DAYS.map((dia) => ({ rotulo: `Só ${DAY_NAME[dia].toLowerCase()}`, dias: [dia] })),
]

export const DAY_HOURS_MAX = 10
const DAY_MIN = 24 * 60
const DEFAULT_HOURS: Intervalo = { inicio: '08:00', fim: '18:00' }

const toMinutes = (hour: string): number => Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3))
const toTime = (total: number): string =>
  `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`

/** End in minutes from the start of the day. Above 1,440 if the interval passes midnight. */
const endOf = ({ inicio, fim }: Intervalo): number =>
  toMinutes(fim) + (toMinutes(fim) <= toMinutes(inicio) ? DAY_MIN : 0)

export const passesMidnight = (interval: Intervalo): boolean =>
  interval.inicio !== '' && interval.fim !== '' && endOf(interval) > DAY_MIN

export function dayHoursError(intervals: readonly Intervalo[]): string | undefined {
  if (intervals.some(({ inicio, fim }) => inicio === '' || fim === '')) return 'Preencha a hora de abrir e a de fechar.'
  if (intervals.some(({ inicio, fim }) => inicio === fim)) return 'A hora de abrir e a de fechar são iguais.'
  const ordered = intervals.toSorted((a, b) => toMinutes(a.inicio) - toMinutes(b.inicio))
  const sobrepostos = ordered.some((current, index) => {
    const next = ordered[index + 1]
    return next !== undefined && toMinutes(next.inicio) < endOf(current)
  })
  return sobrepostos ? 'Dois períodos se sobrepõem: o segundo só pode começar quando o primeiro termina.' : undefined
}

export function weekError(horario: Horario): string | null {
  for (const dia of WEEK_DAYS) {
    const missing = dayHoursError(horario.dias[dia])
    if (missing !== undefined) return `${DAY_NAME[dia]}: ${missing}`
  }
  return null
}

export function addDayHours(intervals: readonly Intervalo[]): Intervalo[] | null {
  if (intervals.length === 0) return [DEFAULT_HOURS]
  const fim = Math.max(...intervals.map(endOf))
  const start = fim + 60
  if (Number.isNaN(start) || start >= DAY_MIN || intervals.length >= DAY_HOURS_MAX) return null
  return [...intervals, { inicio: toTime(start), fim: toTime(Math.min(start + 240, DAY_MIN)) }]
}

export function setDay(horario: Horario, day: Dia, intervals: readonly Intervalo[]): Horario {
  return { ...horario, dias: { ...horario.dias, [day]: [...intervals] } }
}

export function copyDay(horario: Horario, from: Dia, to: readonly Dia[]): Horario {
  return to.reduce((done, dia) => setDay(done, dia, horario.dias[from]), horario)
}

export function formatDayHours(intervals: readonly Intervalo[]): string {
  const words = intervals.map(({ inicio, fim }) =>
    inicio === '00:00' && fim === '24:00' ? '24 horas' : `${inicio} às ${fim === '24:00' ? '00:00' : fim}`,
  )
  return words.length === 0 ? 'Fechado' : words.join(' e ')
}
