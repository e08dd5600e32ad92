import { type Plano, PRESET_DO_PLANO } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { RequestSession } from '#http/authentication.ts'
import { updateConta } from '#modules/contas/index.ts'
import { resetDayUse } from '#modules/conversas/index.ts'
import { inPortuguese, PLANO_NAMES } from '#modules/usuarios/rules.ts'
import { type ChangeContaDeps, changeConta } from './change-conta.ts'

export function changeLimite(
  deps: ChangeContaDeps,
  actor: RequestSession,
  id: string,
  limiteMensagensDia: number,
): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'limiteAlterado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await updateConta(tx, contaId, { limiteMensagensDia })
      return `De ${inPortuguese(before.limiteMensagensDia)} para ${inPortuguese(limiteMensagensDia)} mensagens por dia`
    },
  })
}

/** Applies the limits of the plan. A larger menu is kept; its next change is checked. */
export function applyPlano(
  deps: ChangeContaDeps,
  actor: RequestSession,
  id: string,
  plano: Plano,
): Promise<UsuarioAdmin> {
  const { limiteMensagensDia, ia: iaPermitida, opcoesMenuMaximo } = PRESET_DO_PLANO[plano]
  return changeConta(deps, {
    ...{ acao: 'planoAplicado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await updateConta(tx, contaId, { plano, limiteMensagensDia, iaPermitida, opcoesMenuMaximo })
      return before.plano === plano
        ? `Plano ${PLANO_NAMES[plano]} reaplicado`
        : `De ${PLANO_NAMES[before.plano]} para ${PLANO_NAMES[plano]}`
    },
  })
}

/** Sets today's counter to 0. The monthly total stays. */
export function resetCounter(deps: ChangeContaDeps, actor: RequestSession, id: string): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'contadorZerado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await resetDayUse(tx, contaId, deps.clock.now())
      return `Estava em ${inPortuguese(before.mensagensHoje)}`
    },
  })
}
