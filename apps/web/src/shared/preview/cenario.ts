import type { Horario } from '@balcao/contract/entities/config'
import { estaAberto } from '@balcao/engine/rules/horario'

export type Cenario = 'dentro' | 'fora'

const PASSO_MS = 30 * 60_000
const PASSOS_MAXIMO = 14 * 48

/**
 * Returns the first instant (ms) from the given one on that fits the scenario, or null if there is none in two
 * weeks.
 */
export function instanteDoCenario(cenario: Cenario, horario: Horario, aPartirDe: number): number | null {
  for (let passo = 0; passo <= PASSOS_MAXIMO; passo += 1) {
    const instante = passo === 0 ? aPartirDe : Math.ceil(aPartirDe / PASSO_MS) * PASSO_MS + (passo - 1) * PASSO_MS
    if (estaAberto(horario, instante) === (cenario === 'dentro')) return instante
  }
  return null
}

export function descreverInstante(instante: number, fuso: string): string {
  return new Intl.DateTimeFormat('pt-BR', {
    timeZone: fuso,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(instante)
}
