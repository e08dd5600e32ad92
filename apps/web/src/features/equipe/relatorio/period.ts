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
