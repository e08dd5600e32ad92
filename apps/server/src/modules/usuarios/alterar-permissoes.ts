import type { ComponentesPermitidos, UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Pedinte } from '#http/authentication.ts'
import { type AlterarDeps, alterarConta, updateConta } from './alterar-conta.ts'
import { mudancaDePermissoes } from './rules.ts'

/** Sockets come back by themselves, into the rooms they may still enter. */
export function alterarPermissoes(
  deps: AlterarDeps,
  quem: Pedinte,
  id: string,
  componentes: ComponentesPermitidos,
): Promise<UsuarioAdmin> {
  return alterarConta(deps, {
    ...{ acao: 'permissoesAlteradas', quem, id },
    fazer: async (tx, { contaId }, antes) => {
      await updateConta(tx, contaId, { componentesPermitidos: JSON.stringify(componentes) })
      tx.afterCommit(() => deps.realtime.disconnect({ contaId }))
      return mudancaDePermissoes(antes.componentesPermitidos, componentes)
    },
  })
}
