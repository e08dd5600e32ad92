import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { formatNumber } from '#shared/format.ts'

const SINAL = { forte: 'Sinal forte', medio: 'Sinal médio', fraco: 'Sinal fraco' } as const

export function fraseDoSinal(sinal: SistemaStatus['sinal']): string {
  return sinal === null ? 'Sem sinal' : SINAL[sinal]
}

/** For example `1.2s`. Below 1 s one more digit, so that it is not `0.0s`. */
export function emSegundos(segundos: number): string {
  if (segundos >= 1) return `${segundos.toFixed(1)}s`
  return segundos < 0.01 ? '0.01s' : `${segundos.toFixed(2)}s`
}

export const porcento = (valor: number): string => `${Math.round(valor)}%`

/** For example `+12% hoje`. Null without data of yesterday. */
export function fraseDaVariacao(variacao: number | null): string | null {
  if (variacao === null) return null
  const sinal = variacao > 0 ? '+' : variacao < 0 ? '−' : ''
  return `${sinal}${formatNumber(Math.abs(Math.round(variacao)))}% hoje`
}

/** `agora mesmo`, `há 4 s`, `há 2 min`. */
export function haQuanto(segundos: number): string {
  if (segundos < 1) return 'agora mesmo'
  return segundos < 60 ? `há ${Math.round(segundos)} s` : `há ${Math.round(segundos / 60)} min`
}
