import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { formatNumber } from '#shared/format.ts'

const SIGNAL_TEXT = { forte: 'Sinal forte', medio: 'Sinal médio', fraco: 'Sinal fraco' } as const

export function signalText(signal: SistemaStatus['sinal']): string {
  return signal === null ? 'Sem sinal' : SIGNAL_TEXT[signal]
}

/** For example `1.2s`. Below 1 s one more digit, so that it is not `0.0s`. */
export function formatTenths(seconds: number): string {
  if (seconds >= 1) return `${seconds.toFixed(1)}s`
  return seconds < 0.01 ? '0.01s' : `${seconds.toFixed(2)}s`
}

export const formatWholePercent = (value: number): string => `${Math.round(value)}%`

/** For example `+12% hoje`. Null without data of yesterday. */
export function variationText(variation: number | null): string | null {
  if (variation === null) return null
  const sinal = variation > 0 ? '+' : variation < 0 ? '−' : ''
  return `${sinal}${formatNumber(Math.abs(Math.round(variation)))}% hoje`
}

/** `agora mesmo`, `há 4 s`, `há 2 min`. */
export function agoText(seconds: number): string {
  if (seconds < 1) return 'agora mesmo'
  return seconds < 60 ? `há ${Math.round(seconds)} s` : `há ${Math.round(seconds / 60)} min`
}
