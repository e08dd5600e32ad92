import { instantOf } from '#shared/form/local-time.ts'
import { formatIsoDate } from '#shared/format.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const MONDAY = 1

interface RemindChoice {
  readonly label: string
  readonly em: string
}

/** 8 h of a day from now on, in the time zone of the conta. */
function morningIn(days: number, nowMs: number): string {
  return new Date(instantOf(`${formatIsoDate(nowMs + days * DAY_MS)}T08:00`)).toISOString()
}

function daysToMonday(nowMs: number): number {
  const weekday = new Date(`${formatIsoDate(nowMs)}T12:00:00Z`).getUTCDay()
  return (MONDAY - weekday + 7) % 7 || 7
}

export function remindChoices(nowMs: number): readonly RemindChoice[] {
  return [
    { label: 'Lembrar em 1 hora', em: new Date(nowMs + HOUR_MS).toISOString() },
    { label: 'Lembrar amanhã às 8 h', em: morningIn(1, nowMs) },
    { label: 'Lembrar na segunda às 8 h', em: morningIn(daysToMonday(nowMs), nowMs) },
  ]
}
