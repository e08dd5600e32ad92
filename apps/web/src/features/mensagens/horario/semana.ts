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

const toMinutes = (hora: string): number => Number(hora.slice(0, 2)) * 60 + Number(hora.slice(3))
const toTime = (total: number): string =>
  `${String(Math.floor(total / 60)).padStart(2, '0')}:${String(total % 60).padStart(2, '0')}`

/** End in minutes from the start of the day. Above 1,440 if the interval passes midnight. */
const endOf = ({ inicio, fim }: Intervalo): number => toMinutes(fim) + (toMinutes(fim) <= toMinutes(inicio) ? DAY_MIN : 0)

export const passesMidnight = (intervalo: Intervalo): boolean =>
  intervalo.inicio !== '' && intervalo.fim !== '' && endOf(intervalo) > DAY_MIN

export function dayHoursError(intervalos: readonly Intervalo[]): string | undefined {
  if (intervalos.some(({ inicio, fim }) => inicio === '' || fim === ''))
    return 'Preencha a hora de abrir e a de fechar.'
  if (intervalos.some(({ inicio, fim }) => inicio === fim)) return 'A hora de abrir e a de fechar são iguais.'
  const emOrdem = intervalos.toSorted((a, b) => toMinutes(a.inicio) - toMinutes(b.inicio))
  const sobrepostos = emOrdem.some((atual, indice) => {
    const seguinte = emOrdem[indice + 1]
    return seguinte !== undefined && toMinutes(seguinte.inicio) < endOf(atual)
  })
  return sobrepostos ? 'Dois períodos se sobrepõem: o segundo só pode começar quando o primeiro termina.' : undefined
}

export function weekError(horario: Horario): string | null {
  for (const dia of WEEK_DAYS) {
    const falta = dayHoursError(horario.dias[dia])
    if (falta !== undefined) return `${DAY_NAME[dia]}: ${falta}`
  }
  return null
}

/** Adds a period one hour after the last. Null if the day has no time left. */
export function addDayHours(intervalos: readonly Intervalo[]): Intervalo[] | null {
  if (intervalos.length === 0) return [DEFAULT_HOURS]
  const fim = Math.max(...intervalos.map(endOf))
  const inicio = fim + 60
  if (Number.isNaN(inicio) || inicio >= DAY_MIN || intervalos.length >= DAY_HOURS_MAX) return null
  return [...intervalos, { inicio: toTime(inicio), fim: toTime(Math.min(inicio + 240, DAY_MIN)) }]
}

export function setDay(horario: Horario, day: Dia, intervalos: readonly Intervalo[]): Horario {
  return { ...horario, dias: { ...horario.dias, [day]: [...intervalos] } }
}

export function copyDay(horario: Horario, from: Dia, to: readonly Dia[]): Horario {
  return to.reduce((feito, dia) => setDay(feito, dia, horario.dias[from]), horario)
}

/** `08:00 às 12:00 e 13:30 às 18:00`, or `Fechado`. */
export function formatDayHours(intervalos: readonly Intervalo[]): string {
  const palavras = intervalos.map(({ inicio, fim }) =>
    inicio === '00:00' && fim === '24:00' ? '24 horas' : `${inicio} às ${fim === '24:00' ? '00:00' : fim}`,
  )
  return palavras.length === 0 ? 'Fechado' : palavras.join(' e ')
}
