import { type Plano, PRESET_DO_PLANO } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { RequestSession } from '#http/authentication.ts'
import { updateConta } from '#modules/contas/index.ts'
import { type ChangeContaDeps, changeConta } from './change-conta.ts'
import { PLANO_NAMES } from '#modules/usuarios/rules.ts'

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
