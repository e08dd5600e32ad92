import type { UsoIa } from '@balcao/contract/entities/resposta-ia'

export type UsageDay = UsoIa['dias'][number]

const DAYS = 30
const DAY_MS = 86_400_000

/** Current date in the account's time zone, such as `2026-11-21`. */
export function todayDate(zone: string, now = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(now)
}

/** The 30 days up to today, oldest first. Missing days count zero. */
export function lastDays(days: readonly UsageDay[], today: string): UsageDay[] {
  const porDia = new Map(days.map((dia) => [dia.dia, dia]))
  const fim = Date.parse(`${today}T00:00:00Z`)
  return Array.from({ length: DAYS }, (_vazio, index) => {
    const dia = new Date(fim - (DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return porDia.get(dia) ?? { dia, perguntas: 0, tokensEntrada: 0, tokensSaida: 0 }
  })
}

/** `21/11` from `2026-11-21`. */
export function shortDate(day: string): string {
  return `${day.slice(8, 10)}/${day.slice(5, 7)}`
}
