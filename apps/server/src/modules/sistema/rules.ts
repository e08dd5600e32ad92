import { parseStatusBot } from '@balcao/contract/bot-status'
import type { StatusBot } from '@balcao/contract/entities/bot-status'
import type { Config } from '@balcao/contract/entities/config'
import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { startOfDay } from '#modules/logs/index.ts'

/**
 * Start of yesterday, the same time of day, and its end. Computed by local days, because a day with a clock change
 * is not 24 hours long.
 */
export function yesterdayUntilNow(now: Date, timeZone: string): { de: Date; ate: Date; fim: Date } {
  const end = startOfDay(now, timeZone)
  const de = startOfDay(new Date(end.getTime() - 1), timeZone)
  return { de, ate: new Date(de.getTime() + now.getTime() - end.getTime()), fim: end }
}

/**
 * Percent change against yesterday at the same time. The daily counter is exact; the stored messages give the share
 * sent by this time. Null if yesterday was 0.
 */
export function percentChange(
  totalHoje: number,
  totalOntem: number,
  sent: { readonly ateAgora: number; readonly noDia: number },
): number | null {
  const yesterday = sent.noDia === 0 ? 0 : (totalOntem * sent.ateAgora) / sent.noDia
  return yesterday === 0 ? null : Math.round(((totalHoje - yesterday) / yesterday) * 100)
}

export function iaStateOf({ ia }: Config): SistemaStatus['ia'] {
  if (ia.apiKey === '') return 'sem_chave'
  return ia.ativa ? 'ativa' : 'inativa'
}

/** The stored status, or `INICIALIZANDO` while no node holds the lease of a wanted bot. */
export function botStatusOf(stored: string | null, unowned: boolean): StatusBot {
  if (stored === null) return 'PARADO'
  return unowned ? 'INICIALIZANDO' : (parseStatusBot(stored) ?? 'PARADO')
}

/** WhatsApp sends a heartbeat every 30 s, and the stored time is up to 5 s old. */
const HEARTBEAT_S = 36
/** Beyond this at least one heartbeat is lost. */
const LOST_S = 48

/** Link quality by the seconds since the last frame. Null while there is no link. */
export function signalOf(ultimoQuadroS: number | null): SistemaStatus['sinal'] {
  if (ultimoQuadroS === null) return null
  if (ultimoQuadroS <= HEARTBEAT_S) return 'forte'
  return ultimoQuadroS <= LOST_S ? 'medio' : 'fraco'
}
