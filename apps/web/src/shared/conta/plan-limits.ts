import { type Plano, PRESET_DO_PLANO } from '@balcao/contract/constants'
import type { Recursos } from '@balcao/contract/entities/usuario'
import { formatNumber } from '#shared/format.ts'

/** Limits of a conta. A daily limit of null means no limit. */
export interface PlanLimits extends Recursos {
  readonly limiteDiario: number | null
  /** Absent: not shown. */
  readonly limiteLinhas?: number
}

export function limitsOfPlano(plano: Plano): PlanLimits {
  const { limiteMensagensDia, limiteLinhas, ia, opcoesMenuMaximo } = PRESET_DO_PLANO[plano]
  return { limiteDiario: limiteMensagensDia, limiteLinhas, iaPermitida: ia, opcoesMenuMaximo }
}

export function describeLinhas(limiteLinhas: number): string {
  return limiteLinhas === 1 ? '1 linha' : `até ${limiteLinhas} linhas`
}

export function describeLimits({ limiteDiario, limiteLinhas, iaPermitida, opcoesMenuMaximo }: PlanLimits): string {
  return [
    limiteDiario === null ? 'mensagens sem limite' : `${formatNumber(limiteDiario)} mensagens/dia`,
    iaPermitida ? 'IA incluída' : 'sem IA',
    opcoesMenuMaximo === null ? 'menu sem limite' : `até ${opcoesMenuMaximo} opções`,
    ...(limiteLinhas === undefined ? [] : [describeLinhas(limiteLinhas)]),
  ].join(' · ')
}

export function isPlanoApplied(plano: Plano, limits: PlanLimits): boolean {
  const preset = limitsOfPlano(plano)
  return (
    limits.limiteDiario === preset.limiteDiario &&
    limits.limiteLinhas === preset.limiteLinhas &&
    limits.iaPermitida === preset.iaPermitida &&
    limits.opcoesMenuMaximo === preset.opcoesMenuMaximo
  )
}
