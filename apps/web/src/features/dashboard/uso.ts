import { USO_AMARELO_PERCENTUAL, USO_VERMELHO_PERCENTUAL } from '@balcao/contract/constants'

export type CorDoUso = 'verde' | 'amarelo' | 'vermelho'

/** Yellow above 70 %, red above 90 %. */
export function corDoUso(percentual: number): CorDoUso {
  if (percentual > USO_VERMELHO_PERCENTUAL) return 'vermelho'
  return percentual > USO_AMARELO_PERCENTUAL ? 'amarelo' : 'verde'
}

export interface Uso {
  readonly usado: number
  readonly limite: number
  /** Not capped: 120 when 1,200 of 1,000 were sent. */
  readonly percentual: number
  readonly preenchido: number
  readonly cor: CorDoUso
}

/** The colour uses the exact ratio: 70.4 % is already yellow. */
export function calcularUso(usado: number, limite: number): Uso {
  const percentual = limite > 0 ? (usado / limite) * 100 : 0
  return { usado, limite, percentual, preenchido: Math.min(100, Math.max(0, percentual)), cor: corDoUso(percentual) }
}
