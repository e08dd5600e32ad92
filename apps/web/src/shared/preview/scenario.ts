import type { Horario } from '@balcao/contract/entities/config'
import { isOpenAt } from '@balcao/engine/rules/horario'

export type Scenario = 'dentro' | 'fora'

const STEP_MS = 30 * 60_000
const STEPS_MAX = 14 * 48

/**
 * Returns the first instant (ms) from the given one on that fits the scenario, or null if there is none in two
 * weeks.
 */
export function instantOfScenario(scenario: Scenario, horario: Horario, from: number): number | null {
  for (let step = 0; step <= STEPS_MAX; step += 1) {
    const instante = step === 0 ? from : Math.ceil(from / STEP_MS) * STEP_MS + (step - 1) * STEP_MS
    if (isOpenAt(horario, instante) === (scenario === 'dentro')) return instante
  }
  return null
}

export function describeInstant(instant: number, zone: string): string {
  return new Intl.DateTimeFormat('pt-BR', {
    timeZone: zone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  }).format(instant)
}
