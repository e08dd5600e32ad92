import type { UsuarioAdmin } from '@balcao/contract/entities/usuario'
import { type AlterarDeps, alterarConta } from './alterar-conta.ts'

/** The local day's count goes to zero; what was sent stays in the month's total. */
export function resetarContador(deps: AlterarDeps, id: string): Promise<UsuarioAdmin> {
  return alterarConta(deps, id, async (tx, { contaId }) => {
    await tx.query(
      `update uso_diario d set usadas = 0 from contas c
        where c.id = $1 and d.conta_id = c.id and d.dia = ($2::timestamptz at time zone c.fuso)::date`,
      [contaId, deps.clock.now()],
    )
  })
}
