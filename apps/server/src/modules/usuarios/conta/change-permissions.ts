import {
  type ComponentesPatch,
  componentesPermitidosSchema,
  type UsuarioAdmin,
} from '@balcao/contract/entities/usuario'
import type { RequestSession } from '#http/authentication.ts'
import { updateConta } from '#modules/contas/index.ts'
import { describePermissionChange } from '#modules/usuarios/rules.ts'
import { type ChangeContaDeps, changeConta } from './change-conta.ts'

/** Updates the given components. Sockets are closed and reconnect into the rooms they may still join. */
export function changePermissions(
  deps: ChangeContaDeps,
  actor: RequestSession,
  id: string,
  changed: ComponentesPatch,
): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'permissoesAlteradas', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      const previous = before.componentesPermitidos
      const componentes = componentesPermitidosSchema.parse({ ...previous, ...changed })
      await updateConta(tx, { contaId, fields: { componentesPermitidos: componentes } })
      tx.afterCommit(() => deps.realtime.disconnect({ contaId }))
      return describePermissionChange(previous, componentes)
    },
  })
}
