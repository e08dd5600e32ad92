import type { ComponentesPermitidos, UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { type AlterarDeps, alterarConta, updateConta } from './alterar-conta.ts'

/** Sockets come back by themselves, into the rooms they may still enter. */
export function alterarPermissoes(
  deps: AlterarDeps,
  id: string,
  componentes: ComponentesPermitidos,
): Promise<UsuarioAdmin> {
  return alterarConta(deps, id, async (tx, { contaId }) => {
    await updateConta(tx, contaId, { componentesPermitidos: JSON.stringify(componentes) })
    tx.afterCommit(() => deps.realtime.disconnect({ contaId }))
  })
}
