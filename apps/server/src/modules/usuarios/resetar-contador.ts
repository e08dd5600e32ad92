import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import type { Pedinte } from '#http/authentication.ts'
import { type AlterarDeps, alterarConta } from './alterar-conta.ts'
import { emPortugues } from './rules.ts'

/** Sets today's counter to 0. The monthly total stays. */
export function resetarContador(deps: AlterarDeps, quem: Pedinte, id: string): Promise<UsuarioAdmin> {
  return alterarConta(deps, {
    ...{ acao: 'contadorZerado', quem, id },
    fazer: async (tx, { contaId }, antes) => {
      await tx.query(
        `update uso_diario d set usadas = 0 from contas c
          where c.id = $1 and d.conta_id = c.id and d.dia = ($2::timestamptz at time zone c.fuso)::date`,
        [contaId, deps.clock.now()],
      )
      return `Estava em ${emPortugues(antes.mensagensHoje)}`
    },
  })
}
