import {
  type ComponentesParciais,
  componentesPermitidosSchema,
  type UsuarioAdmin,
} from '@balcao/contract/entities/usuario'
import type { Pedinte } from '#http/authentication.ts'
import { type AlterarDeps, alterarConta, updateConta } from './alterar-conta.ts'
import { mudancaDePermissoes } from './rules.ts'

/** Updates the given components. Sockets are closed and reconnect into the rooms they may still join. */
export function alterarPermissoes(
  deps: AlterarDeps,
  quem: Pedinte,
  id: string,
  mudados: ComponentesParciais,
): Promise<UsuarioAdmin> {
  return alterarConta(deps, {
    ...{ acao: 'permissoesAlteradas', quem, id },
    fazer: async (tx, { contaId }, antes) => {
      const eram = componentesPermitidosSchema.parse(antes.componentesPermitidos)
      const componentes = componentesPermitidosSchema.parse({ ...eram, ...mudados })
      await updateConta(tx, contaId, { componentesPermitidos: JSON.stringify(componentes) })
      tx.afterCommit(() => deps.realtime.disconnect({ contaId }))
      return mudancaDePermissoes(eram, componentes)
    },
  })
}
