interface Uso {
  readonly mensagensHoje: number
  readonly limiteMensagensDia: number
  readonly semLimite: boolean
}

/** Whole percent of the daily limit, rounded down so that 100 means reached; 0 where there is no limit. */
export function percentualUso({ mensagensHoje, limiteMensagensDia, semLimite }: Uso): number {
  return semLimite ? 0 : Math.floor((mensagensHoje * 100) / limiteMensagensDia)
}

/** Change in percent, one decimal; null when there is nothing to compare with. */
export function tendencia(agora: number, antes: number | null): number | null {
  if (antes === null || antes === 0) return antes === 0 && agora === 0 ? 0 : null
  return Math.round(((agora - antes) * 1000) / antes) / 10
}
