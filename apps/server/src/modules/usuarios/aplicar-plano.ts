import { type Plano, PRESET_DO_PLANO } from '@balcao/contract/constants'
import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { type AlterarDeps, alterarConta, updateConta } from './alterar-conta.ts'

/** The plan's own limits bind from here on (decisions §1). What the menu already has stays; saving it anew is checked. */
export function aplicarPlano(deps: AlterarDeps, id: string, plano: Plano): Promise<UsuarioAdmin> {
  const { limiteMensagensDia, ia: iaPermitida, opcoesMenuMaximo } = PRESET_DO_PLANO[plano]
  return alterarConta(deps, id, (tx, { contaId }) =>
    updateConta(tx, contaId, { plano, limiteMensagensDia, iaPermitida, opcoesMenuMaximo }),
  )
}
