import { AGENDADA_MAXIMO_DIAS, AGENDADA_MINIMO_MS } from '@balcao/contract/constants'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A time for an input of type `datetime-local`, in the zone of the browser. */
function toLocalInput(instant: number): string {
  const zoned = new Date(instant - new Date(instant).getTimezoneOffset() * 60_000)
  return zoned.toISOString().slice(0, 16)
}

/** The next full hour that is at least an hour ahead. */
export function suggestTime(now: number): string {
  return toLocalInput(Math.ceil((now + HOUR_MS) / HOUR_MS) * HOUR_MS)
}

interface ScheduleErrors {
  readonly mensagem?: string
  readonly time?: string
}

export function scheduleErrorsOf(
  { mensagem, time }: { readonly mensagem: string; readonly time: string },
  now: number,
): ScheduleErrors {
  const ahead = Date.parse(time) - now
  const inTime = ahead >= AGENDADA_MINIMO_MS && ahead <= AGENDADA_MAXIMO_DIAS * DAY_MS
  return {
    ...(mensagem.trim() === '' ? { mensagem: 'Digite uma mensagem' } : {}),
    ...(inTime ? {} : { time: `Escolha um horário entre 1 minuto e ${AGENDADA_MAXIMO_DIAS} dias à frente` }),
  }
}
