import type { Horario } from '@balcao/contract/entities/config'
import { formatLocalDate, formatLocalTime } from './local-format.ts'
import {
  isOpenAtLocal,
  crossesMidnight,
  WEEKDAY_NAMES,
  intervalsOn,
  type LocalMinute,
  localMinuteAt,
  minutesOf,
  shiftDay,
} from './horario.ts'

const MIDNIGHT_MINUTE = 24 * 60
/** Days searched ahead for the next change. A shop may be closed for a whole season. */
const DAYS_AHEAD = 400

export interface OpeningChange extends LocalMinute {
  /** Local days from now: 0 today, 1 tomorrow. */
  readonly inDays: number
}

export interface OpeningState {
  readonly open: boolean
  /** Next opening or closing. Null when there is none within 400 days. */
  readonly change: OpeningChange | null
}

/**
 * Minutes of a local day at which the state may change, in order. An interval that ends at 24:00 ends at minute 0
 * of the next day.
 */
function boundariesOf(horario: Horario, data: string): number[] {
  const today = shiftDay(data, 0)
  const ontem = shiftDay(data, -1)
  const limits = intervalsOn(horario, today.data, today.dia).flatMap((i) =>
    crossesMidnight(i) ? [minutesOf(i.inicio)] : [minutesOf(i.inicio), minutesOf(i.fim)],
  )
  for (const i of intervalsOn(horario, ontem.data, ontem.dia)) {
    if (crossesMidnight(i) || minutesOf(i.fim) === MIDNIGHT_MINUTE) limits.push(minutesOf(i.fim) % MIDNIGHT_MINUTE)
  }
  return limits.filter((minute) => minute < MIDNIGHT_MINUTE).toSorted((a, b) => a - b)
}

/** Returns whether the shop is open at an instant (ms) and when that changes next. */
export function openingStateAt(horario: Horario, instant: number): OpeningState {
  const now = localMinuteAt(instant, horario.fuso)
  const aberto = isOpenAtLocal(horario, now)
  for (let emDias = 0; emDias <= DAYS_AHEAD; emDias += 1) {
    const { data, dia } = shiftDay(now.data, emDias)
    for (const minuto of boundariesOf(horario, data)) {
      const local = { data, dia, minuto }
      const jaFoi = emDias === 0 && minuto <= now.minuto
      if (!jaFoi && isOpenAtLocal(horario, local) !== aberto)
        return { open: aberto, change: { ...local, inDays: emDias } }
    }
  }
  return { open: aberto, change: null }
}

const localMinutes = ({ data, minuto }: Pick<LocalMinute, 'data' | 'minuto'>): number =>
  Date.parse(`${data}T00:00:00Z`) / 60_000 + minuto

/** Returns the instant (ms) of the next opening. Null while the shop is open, and without an opening within 400 days. */
export function nextOpeningAt(horario: Horario, instant: number): number | null {
  const { open, change } = openingStateAt(horario, instant)
  if (open || change === null) return null
  const local = (at: number): number => localMinutes(localMinuteAt(at, horario.fuso))
  const wanted = localMinutes(change)
  const guess = (Math.floor(instant / 60_000) + wanted - local(instant)) * 60_000
  // Clocks may change between now and the opening.
  return guess + (wanted - local(guess)) * 60_000
}

function describeChange({ inDays, data, dia, minuto }: OpeningChange): string {
  if (minuto === 0 && inDays === 1) return 'à meia-noite'
  const hour = `às ${formatLocalTime(minuto)}`
  if (inDays === 0) return hour
  if (inDays === 1) return `amanhã ${hour}`
  return inDays < 7 ? `${WEEKDAY_NAMES[dia]} ${hour}` : `em ${formatLocalDate(data).slice(0, 5)} ${hour}`
}

/**
 * For example 'aberto, fecha às 18:00' or 'fechado (Natal), abre amanhã às 08:00'. Times are in the shop's time
 * zone.
 */
export function describeOpening(horario: Horario, instant: number): string {
  const { open, change } = openingStateAt(horario, instant)
  if (open) return change === null ? 'aberto o tempo todo' : `aberto, fecha ${describeChange(change)}`
  const today = localMinuteAt(instant, horario.fuso).data
  const excecao = horario.excecoes.find(({ data, intervalos }) => data === today && intervalos.length === 0)
  const motivo = excecao === undefined || excecao.nome === '' ? '' : ` (${excecao.nome})`
  return `fechado${motivo}, ${change === null ? 'sem hora para abrir' : `abre ${describeChange(change)}`}`
}
