import { type Plano, PRESET_DO_PLANO } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Pedinte } from '#http/authentication.ts'
import { type AlterarDeps, alterarConta, updateConta } from './alterar-conta.ts'
import { NOME_DO_PLANO } from './rules.ts'

/** Applies the limits of the plan. A larger menu is kept; its next change is checked. */
export function aplicarPlano(deps: AlterarDeps, quem: Pedinte, id: string, plano: Plano): Promise<UsuarioAdmin> {
  const { limiteMensagensDia, ia: iaPermitida, opcoesMenuMaximo } = PRESET_DO_PLANO[plano]
  return alterarConta(deps, {
    ...{ acao: 'planoAplicado', quem, id },
    fazer: async (tx, { contaId }, antes) => {
      await updateConta(tx, contaId, { plano, limiteMensagensDia, iaPermitida, opcoesMenuMaximo })
      return antes.plano === plano
        ? `Plano ${NOME_DO_PLANO[plano]} reaplicado`
        : `De ${NOME_DO_PLANO[antes.plano]} para ${NOME_DO_PLANO[plano]}`
    },
  })
}
