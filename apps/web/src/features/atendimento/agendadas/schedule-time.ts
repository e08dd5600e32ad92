import { AGENDADA_MAXIMO_DIAS, AGENDADA_MINIMO_MS } from '@balcao/contract/constants'
import { dayAfter, instantOf, toLocalInput } from '#shared/form/local-time.ts'
import { formatIsoDate, formatTime, zonedFormat } from '#shared/format.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export function suggestTime(now: number): string {
  return toLocalInput(Math.ceil((now + HOUR_MS) / HOUR_MS) * HOUR_MS)
}

const MONDAY = 1

export interface TimeShortcut {
  readonly label: string
  readonly time: string
}

export function timeShortcuts(now: number): readonly TimeShortcut[] {
  const weekday = new Date(`${formatIsoDate(now)}T00:00Z`).getUTCDay()
  const toMonday = (MONDAY - weekday + 7) % 7 || 7
  return [
    { label: 'Amanhã, 8h', time: `${dayAfter(now, 1)}T08:00` },
    { label: 'Segunda, 9h', time: `${dayAfter(now, toMonday)}T09:00` },
    { label: 'Em 2 horas', time: toLocalInput(now + 2 * HOUR_MS) },
  ]
}

/** Without the year: a message is sent within 90 days, and a phone has little width. */
const formatDayAndTime = zonedFormat({ day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' })

/** `amanhã, 8:00`. */
export function formatSendTime(instant: string, now: number): string {
  const day = formatIsoDate(instant)
  const name = [0, 1].findIndex((days) => day === dayAfter(now, days))
  if (name < 0) return formatDayAndTime(instant)
  return `${name === 0 ? 'hoje' : 'amanhã'}, ${formatTime(instant).replace(/^0/, '')}`
}

interface ScheduleErrors {
  readonly mensagem?: string
  readonly time?: string
}

export function scheduleErrorsOf(
  { mensagem, time }: { readonly mensagem: string; readonly time: string },
  now: number,
): ScheduleErrors {
  const ahead = instantOf(time) - now
  const inTime = ahead >= AGENDADA_MINIMO_MS && ahead <= AGENDADA_MAXIMO_DIAS * DAY_MS
  return {
    ...(mensagem.trim() === '' ? { mensagem: 'Digite uma mensagem' } : {}),
    ...(inTime ? {} : { time: `Escolha um horário entre 1 minuto e ${AGENDADA_MAXIMO_DIAS} dias à frente` }),
  }
}
