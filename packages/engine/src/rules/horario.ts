import { DIAS, type Dia, FUSO_PADRAO } from '@balcao/contract/constants'
import type { Horario, Intervalo } from '@balcao/contract/entities/config'

export interface LocalMinute {
  /** `AAAA-MM-DD`. */
  readonly data: string
  readonly dia: Dia
  /** Minutes since local midnight. */
  readonly minuto: number
}

const DAY_MS = 86_400_000
const MIDNIGHT_MINUTE = 24 * 60
/** Zones are compared without case, so owners may invent any number of spellings. */
const ZONES_CACHED = 1_000
const formatters = new Map<string, Intl.DateTimeFormat>()
const lastLocals = new Map<string, { readonly minuto: number; readonly local: LocalMinute }>()

/**
 * Caches one formatter per time zone, because creating one is slow. An unknown zone falls back to the default, then
 * to UTC.
 */
function formatterFor(zone: string): Intl.DateTimeFormat {
  const ready = formatters.get(zone)
  if (ready !== undefined) return ready
  const fresh = createFormatter(zone) ?? formatterFor(zone === FUSO_PADRAO ? 'UTC' : FUSO_PADRAO)
  remember(formatters, zone, fresh)
  return fresh
}

/** Adds an entry. Empties a full cache, because so many zones occur only in an attack. */
function remember<T>(cache: Map<string, T>, zone: string, value: T): void {
  if (cache.size >= ZONES_CACHED && !cache.has(zone)) cache.clear()
  cache.set(zone, value)
}

function createFormatter(zone: string): Intl.DateTimeFormat | null {
  const opcoes = {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone: zone, ...opcoes })
  } catch {
    return null
  }
}

/**
 * Returns local day and minute of an instant (ms). Caches the last minute per zone, because many messages arrive
 * within one minute.
 */
export function localMinuteAt(instant: number, timeZone: string): LocalMinute {
  const minuto = Math.floor(instant / 60_000)
  const last = lastLocals.get(timeZone)
  if (last?.minuto === minuto) return last.local
  const local = computeLocalMinute(instant, timeZone)
  remember(lastLocals, timeZone, { minuto, local })
  return local
}

function computeLocalMinute(instante: number, zone: string): LocalMinute {
  const parts: Record<string, string> = {}
  for (const { type, value } of formatterFor(zone).formatToParts(instante)) parts[type] = value
  const data = `${parts['year']}-${parts['month']}-${parts['day']}`
  const week = new Date(`${data}T00:00:00Z`).getUTCDay()
  return { data, dia: DIAS[week] ?? 'dom', minuto: Number(parts['hour']) * 60 + Number(parts['minute']) }
}

/** Converts `HH:MM` to minutes since midnight. */
export const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

export function shiftDay(date: string, days: number): { data: string; dia: Dia } {
  const other = new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS)
  return { data: other.toISOString().slice(0, 10), dia: DIAS[other.getUTCDay()] ?? 'dom' }
}

/** Opening hours of a day. An exception for the date has priority over the weekday. */
export function intervalsOn(horario: Horario, date: string, weekday: Dia): readonly Intervalo[] {
  return horario.excecoes.find((excecao) => excecao.data === date)?.intervalos ?? horario.dias[weekday]
}

/** True if the interval crosses midnight. */
export const crossesMidnight = ({ inicio, fim }: Intervalo): boolean => minutesOf(fim) <= minutesOf(inicio)

/** True if the shop is open at an instant (ms). `fim` is exclusive. */
export function isOpenAt(horario: Horario, instant: number): boolean {
  return isOpenAtLocal(horario, localMinuteAt(instant, horario.fuso))
}

export function isOpenAtLocal(horario: Horario, { data, dia, minuto }: LocalMinute): boolean {
  const today = intervalsOn(horario, data, dia)
  if (today.some((i) => minuto >= minutesOf(i.inicio) && (crossesMidnight(i) || minuto < minutesOf(i.fim)))) return true
  const ontem = shiftDay(data, -1)
  return intervalsOn(horario, ontem.data, ontem.dia).some((i) => crossesMidnight(i) && minuto < minutesOf(i.fim))
}

/**
 * Returns an id of the closed period around an instant (ms), so that the bot reports it only once. Looks back 60
 * days.
 */
export function closedPeriodId(horario: Horario, instant: number): string {
  const { data, minuto } = localMinuteAt(instant, horario.fuso)
  for (let recuo = 0; recuo <= 60; recuo += 1) {
    const { data: d, dia } = shiftDay(data, -recuo)
    const now = minuto + recuo * MIDNIGHT_MINUTE
    const fins = intervalsOn(horario, d, dia)
      .map((i) => minutesOf(i.fim) + (crossesMidnight(i) ? MIDNIGHT_MINUTE : 0))
      .filter((fim) => fim <= now)
    if (fins.length > 0) return `${d}+${Math.max(...fins)}`
  }
  return 'sempre'
}

export const WEEKDAY_NAMES: Readonly<Record<Dia, string>> = {
  seg: 'segunda',
  ter: 'terça',
  qua: 'quarta',
  qui: 'quinta',
  sex: 'sexta',
  sab: 'sábado',
  dom: 'domingo',
}
const WEEK: readonly Dia[] = ['seg', 'ter', 'qua', 'qui', 'sex', 'sab', 'dom']

const formatHour = (valor: string): string =>
  valor.endsWith(':00') ? `${Number(valor.slice(0, 2))}h` : `${Number(valor.slice(0, 2))}h${valor.slice(3)}`

export interface WeekdayGroup {
  /** Neighbouring days with the same hours, from Monday on. */
  readonly dias: readonly Dia[]
  readonly intervalos: readonly Intervalo[]
  /** 'segunda a sexta'. */
  readonly nome: string
}

const describeIntervals = (intervals: readonly Intervalo[]): string =>
  intervals.map((i) => `das ${formatHour(i.inicio)} às ${formatHour(i.fim)}`).join(' e ')

/** The days on which the shop opens, without exceptions. */
export function groupWeekdays({ dias }: Pick<Horario, 'dias'>): WeekdayGroup[] {
  const groups: { dias: Dia[]; texto: string; intervalos: readonly Intervalo[] }[] = []
  for (const dia of WEEK) {
    const texto = describeIntervals(dias[dia])
    const last = groups.at(-1)
    if (last?.texto === texto) last.dias.push(dia)
    else groups.push({ dias: [dia], texto, intervalos: dias[dia] })
  }
  return groups
    .filter(({ intervalos }) => intervalos.length > 0)
    .map(({ dias: days, intervalos }) => ({ dias: days, intervalos, nome: joinWeekdays(days) }))
}

/** Describes the week in Portuguese: 'segunda a sexta, das 8h às 18h; sábado, das 9h às 12h'. */
export function describeHorario(horario: Horario): string {
  const open = groupWeekdays(horario)
  return open.length === 0
    ? 'sem horário de atendimento'
    : open.map(({ nome, intervalos }) => `${nome}, ${describeIntervals(intervalos)}`).join('; ')
}

function joinWeekdays(dias: readonly Dia[]): string {
  const names = dias.map((dia) => WEEKDAY_NAMES[dia])
  const [first = ''] = names
  return names.length <= 2 ? names.join(' e ') : `${first} a ${names.at(-1) ?? ''}`
}
