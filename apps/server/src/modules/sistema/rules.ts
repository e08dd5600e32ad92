import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import type { StatusBot } from '@balcao/contract/entities/bot-status'
import { parseStatusBot } from '@balcao/contract/status-bot'
import type { Config } from '@balcao/contract/entities/config'

const DIA_MS = 86_400_000

/** `AAAA-MM-DD` of an instant in a zone. */
export function diaLocal(instante: Date, fuso: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: fuso, dateStyle: 'short' }).format(instante)
}

/** Yesterday, from its midnight, up to the same hour, and to its end. */
export function ontemAteAgora(agora: Date, meiaNoite: Date): { de: Date; ate: Date; fim: Date } {
  const menosUmDia = (instante: Date): Date => new Date(instante.getTime() - DIA_MS)
  return { de: menosUmDia(meiaNoite), ate: menosUmDia(agora), fim: meiaNoite }
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

/** The simulator lives in this process: its link is whole or absent. Other connectors have not measured theirs here. */
export function sinalDe(status: StatusBot, conector: string | null): SistemaStatus['sinal'] {
  return status === 'CONECTADO' && conector === 'simulador' ? 'forte' : null
}
