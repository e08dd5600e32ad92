import { NOME_DO_PLANO, type Plano, PRESET_DO_PLANO } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Tx } from '#db/transaction.ts'
import type { RequestSession } from '#http/authentication.ts'
import { updateConta } from '#modules/contas/index.ts'
import { resetDayUse } from '#modules/limites/index.ts'
import { inPortuguese } from '#modules/usuarios/rules.ts'
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
      await updateConta(tx, { contaId, fields: { limiteMensagensDia } })
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
  return changeConta(deps, {
    ...{ acao: 'planoAplicado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await writePlano(tx, contaId, plano)
      return before.plano === plano
        ? `Plano ${NOME_DO_PLANO[plano]} reaplicado`
        : `De ${NOME_DO_PLANO[before.plano]} para ${NOME_DO_PLANO[plano]}`
    },
  })
}

export async function writePlano(tx: Tx, contaId: string, plano: Plano): Promise<void> {
  const { limiteMensagensDia, ia: iaPermitida, opcoesMenuMaximo } = PRESET_DO_PLANO[plano]
  await updateConta(tx, { contaId, fields: { plano, limiteMensagensDia, iaPermitida, opcoesMenuMaximo } })
}

/** Sets today's counter to 0. The monthly total stays. */
export function resetCounter(deps: ChangeContaDeps, actor: RequestSession, id: string): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'contadorZerado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await resetDayUse(tx, { contaId, now: deps.clock.now() })
      return `Estava em ${inPortuguese(before.mensagensHoje)}`
    },
  })
}
