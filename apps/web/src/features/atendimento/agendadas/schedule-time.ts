import { AGENDADA_MAXIMO_DIAS, AGENDADA_MINIMO_MS } from '@balcao/contract/constants'
import { zonedFormat } from '#shared/format.ts'

const toZoned = zonedFormat(
  { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' },
  'sv-SE',
)

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** A time for an input of type `datetime-local`, in the zone of the conta like all times of the panel. */
function toLocalInput(instant: number): string {
  return toZoned(instant).replace(' ', 'T')
}

/** The instant of such a time. NaN for an empty one. */
export function instantOf(time: string): number {
  const asUtc = Date.parse(`${time}Z`)
  if (Number.isNaN(asUtc)) return asUtc
  const offset = (instant: number): number => Date.parse(`${toLocalInput(instant)}Z`) - instant
  // The offset of the wanted instant differs from the first one near a change of the clocks.
  return asUtc - offset(asUtc - offset(asUtc))
}

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
  const ahead = instantOf(time) - now
  const inTime = ahead >= AGENDADA_MINIMO_MS && ahead <= AGENDADA_MAXIMO_DIAS * DAY_MS
  return {
    ...(mensagem.trim() === '' ? { mensagem: 'Digite uma mensagem' } : {}),
    ...(inTime ? {} : { time: `Escolha um horário entre 1 minuto e ${AGENDADA_MAXIMO_DIAS} dias à frente` }),
  }
}
