import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { RequestSession } from '#http/authentication.ts'
import { type ChangeContaDeps, changeConta } from './change-conta.ts'
import { resetDayUse } from '#modules/conversas/index.ts'
import { inPortuguese } from '#modules/usuarios/rules.ts'

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
