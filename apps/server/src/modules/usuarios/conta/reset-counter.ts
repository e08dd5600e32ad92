import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { RequestSession } from '#http/authentication.ts'
import { type ChangeContaDeps, changeConta } from './change-conta.ts'
import { inPortuguese } from '#modules/usuarios/rules.ts'

/** Sets today's counter to 0. The monthly total stays. */
export function resetCounter(deps: ChangeContaDeps, actor: RequestSession, id: string): Promise<UsuarioAdmin> {
  return changeConta(deps, {
    ...{ acao: 'contadorZerado', quem: actor, id },
    apply: async (tx, { contaId }, before) => {
      await tx.query(
        `update uso_diario d set usadas = 0 from contas c
          where c.id = $1 and d.conta_id = c.id and d.dia = ($2::timestamptz at time zone c.fuso)::date`,
        [contaId, deps.clock.now()],
      )
      return `Estava em ${inPortuguese(before.mensagensHoje)}`
    },
  })
}
