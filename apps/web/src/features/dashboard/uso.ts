import { USO_AMARELO_PERCENTUAL, USO_VERMELHO_PERCENTUAL } from '@balcao/contract/constants'

export type CorDoUso = 'verde' | 'amarelo' | 'vermelho'

/** Green up to 70 %, yellow above it, red above 90 % (spec §9). */
export function corDoUso(percentual: number): CorDoUso {
  if (percentual > USO_VERMELHO_PERCENTUAL) return 'vermelho'
  return percentual > USO_AMARELO_PERCENTUAL ? 'amarelo' : 'verde'
}

export interface Uso {
  readonly usado: number
  readonly limite: number
  /** Not capped: 120 when 1,200 of 1,000 were sent. */
  readonly percentual: number
  /** Width of the bar, 0 to 100. */
  readonly preenchido: number
  readonly cor: CorDoUso
}

/** The colour follows the real ratio, not a rounded one: 70.4 % is already yellow. */
export function calcularUso(usado: number, limite: number): Uso {
  const percentual = limite > 0 ? (usado / limite) * 100 : 0
  return { usado, limite, percentual, preenchido: Math.min(100, Math.max(0, percentual)), cor: corDoUso(percentual) }
}
