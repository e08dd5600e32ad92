import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/status-bot'
import type { Config } from '@balcao/contract/entities/config'
import { inicioDoDia } from '#modules/logs/index.ts'

/** `AAAA-MM-DD` of an instant in a zone. */
export function diaLocal(instante: Date, fuso: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, dateStyle: 'short' }).format(instante)
}

/** Yesterday, from its midnight, up to the same hour, and to its end: a day is not 24 hours long when the clocks change. */
export function ontemAteAgora(agora: Date, fuso: string): { de: Date; ate: Date; fim: Date } {
  const fim = inicioDoDia(agora, fuso)
  const de = inicioDoDia(new Date(fim.getTime() - 1), fuso)
  return { de, ate: new Date(de.getTime() + agora.getTime() - fim.getTime()), fim }
}

/**
 * Percent against yesterday up to the same hour. The day's counter is exact; the messages kept say which share of it had
 * left by now. Null without a yesterday to compare with.
 */
export function variacao(
  totalHoje: number,
  totalOntem: number,
  enviadas: { readonly ateAgora: number; readonly noDia: number },
): number | null {
  const ontem = enviadas.noDia === 0 ? 0 : (totalOntem * enviadas.ateAgora) / enviadas.noDia
  return ontem === 0 ? null : Math.round(((totalHoje - ontem) / ontem) * 100)
}

export function estadoDaIa({ ia }: Config): SistemaStatus['ia'] {
  if (ia.apiKey === '') return 'sem_chave'
  return ia.ativa ? 'ativa' : 'inativa'
}

/** What was last written, unless whoever wrote it is gone: then the bot is on its way back. */
export function statusDe(guardado: string | null, semDono: boolean): StatusBot {
  if (guardado === null) return 'PARADO'
  return semDono ? 'INICIALIZANDO' : (parseStatusBot(guardado) ?? 'PARADO')
}

/** A service that has nothing to say still sends a heartbeat every 30 s, and the reading is up to a renewal (5 s) old. */
const BATIMENTO_S = 36
/** Past this, one is missing for sure: the link is about to be given up. */
const PERDIDO_S = 48

/** How good a link is by the time since the service was last heard; null while there is no link. */
export function sinalDe(ultimoQuadroS: number | null): SistemaStatus['sinal'] {
  if (ultimoQuadroS === null) return null
  if (ultimoQuadroS <= BATIMENTO_S) return 'forte'
  return ultimoQuadroS <= PERDIDO_S ? 'medio' : 'fraco'
}
