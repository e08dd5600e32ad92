import { oficialRoute, salvarOficialRoute } from '@balcao/contract/routes/oficial'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { lerOficial, salvarOficial } from './salvar-oficial.ts'

export function oficialRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(oficialRoute, async ({ sessao: { contaId } }) => ({
      oficial: await deps.db.read(contaId, (tx) => lerOficial(tx, deps, contaId)),
    })),
    bind(salvarOficialRoute, async ({ sessao, body }) => ({
      oficial: await salvarOficial(deps, sessao.contaId, body),
    })),
  ]
}
