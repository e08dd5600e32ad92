/** Dates `AAAA-MM-DD` in the account's time zone, both included. */
export interface Period {
  readonly de: string
  readonly ate: string
}

export const PERIOD_PRESETS = ['hoje', 'ontem', '7dias', 'semanaPassada', '30dias', 'mesPassado'] as const
export type PeriodPreset = (typeof PERIOD_PRESETS)[number]

const DAYS_MAX = 366
const DAY_MS = 86_400_000

/** Date in a time zone. If the browser does not know the zone, its own zone is used. */
export function todayIn(zone: string, now: Date): string {
  try {
    return dayInZone(now, zone)
  } catch {
    return dayInZone(now, undefined)
  }
}

function dayInZone(now: Date, fuso: string | undefined): string {
  // The Swedish format is `AAAA-MM-DD`, as `<input type="date">` needs it.
  return new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, dateStyle: 'short' }).format(now)
}

export function shiftDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)
}

const daysSinceMonday = (day: string): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7

export function periodOf(preset: PeriodPreset, today: string): Period {
  switch (preset) {
    case 'hoje':
      return { de: today, ate: today }
    case 'ontem':
      return { de: shiftDays(today, -1), ate: shiftDays(today, -1) }
    case '7dias':
      return { de: shiftDays(today, -6), ate: today }
    case '30dias':
      return { de: shiftDays(today, -29), ate: today }
    case 'semanaPassada': {
      const monday = shiftDays(today, -daysSinceMonday(today) - 7)
      return { de: monday, ate: shiftDays(monday, 6) }
    }
    case 'mesPassado': {
      const ate = shiftDays(`${today.slice(0, 7)}-01`, -1)
      return { de: `${ate.slice(0, 7)}-01`, ate }
    }
    default:
      return preset satisfies never
  }
}

export function checkPeriod({ de, ate }: Period): { readonly de?: string; readonly ate?: string } {
  if (de === '') return { de: 'Escolha a data inicial' }
  if (ate === '') return { ate: 'Escolha a data final' }
  if (ate < de) return { ate: 'A data final deve ser igual à inicial ou depois dela' }
  return shiftDays(de, DAYS_MAX - 1) < ate ? { ate: `Escolha no máximo ${DAYS_MAX} dias` } : {}
}

export function formatDay(day: string): string {
  return day.split('-').toReversed().join('/')
}

export function formatShortDay(day: string): string {
  return formatDay(day).slice(0, 5)
}

const weekdayFormat = new Intl.DateTimeFormat('pt-BR', { weekday: 'long', timeZone: 'UTC' })

export function formatWeekday(day: string): string {
  return `${weekdayFormat.format(new Date(`${day}T00:00:00Z`))}, ${formatShortDay(day)}`
}

export function formatPeriod({ de, ate }: Period): string {
  return de === ate ? formatDay(de) : `${formatDay(de)} a ${formatDay(ate)}`
}

const MINUTE_S = 60
const HOUR_S = 3600
const DAY_S = 86_400

const EXACT_S = 600

/** Formats milliseconds: `45 s`, `2 min 10 s`, from 10 minutes on `13 min`, `1 h 05 min`, `2 dias 3 h`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < MINUTE_S) return `${seconds} s`
  if (seconds < EXACT_S) return joinUnits(`${Math.floor(seconds / MINUTE_S)} min`, seconds % MINUTE_S, 's')
  const minutes = Math.round(seconds / MINUTE_S)
  if (minutes < 60) return `${minutes} min`
  if (minutes * MINUTE_S < DAY_S) {
    return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
  }
  const hours = Math.round(seconds / HOUR_S)
  const days = Math.floor(hours / 24)
  return joinUnits(days === 1 ? '1 dia' : `${days} dias`, hours % 24, 'h')
}

function joinUnits(largest: string, rest: number, unit: string): string {
  return rest === 0 ? largest : `${largest} ${rest} ${unit}`
}
