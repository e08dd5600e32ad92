import { USO_AMARELO_PERCENTUAL, USO_VERMELHO_PERCENTUAL } from '@balcao/contract/constants'

export type UsageColor = 'verde' | 'amarelo' | 'vermelho'

/** Yellow above 70 %, red above 90 %. */
export function usageColor(percent: number): UsageColor {
  if (percent > USO_VERMELHO_PERCENTUAL) return 'vermelho'
  return percent > USO_AMARELO_PERCENTUAL ? 'amarelo' : 'verde'
}

export interface DailyUsage {
  readonly used: number
  readonly limite: number
  /** Not capped: 120 when 1,200 of 1,000 were sent. */
  readonly percent: number
  readonly filled: number
  readonly color: UsageColor
}

/** The colour uses the exact ratio: 70.4 % is already yellow. */
export function calculateUsage(used: number, limite: number): DailyUsage {
  const percentual = limite > 0 ? (used / limite) * 100 : 0
  return {
    used,
    limite,
    percent: percentual,
    filled: Math.min(100, Math.max(0, percentual)),
    color: usageColor(percentual),
  }
}
