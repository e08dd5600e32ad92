import {
  custosOficiaisRoute,
  precoOficialRoute,
  salvarTarifasRoute,
  tarifasRoute,
} from '@balcao/contract/routes/custos'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { readCosts, readServicePrice } from './read-costs.ts'
import { listRates } from './repository.ts'
import { saveRates } from './save-rates.ts'

export function costRoutes(deps: Pick<Deps, 'db' | 'ids' | 'clock'>): BoundRoute[] {
  const { db } = deps
  return [
    bind(custosOficiaisRoute, ({ sessao: { contaId }, query: { mes, linha = null } }) =>
      db.read(contaId, (tx) => readCosts(tx, deps, { contaId, mes, linha })),
    ),
    bind(precoOficialRoute, ({ sessao: { contaId } }) => db.read(contaId, (tx) => readServicePrice(tx, deps, contaId))),
    bind(tarifasRoute, async () => ({ tarifas: await db.read('*', (tx) => listRates(tx, {})) })),
    bind(salvarTarifasRoute, async ({ sessao, body }) => ({ tarifas: await saveRates(deps, sessao, body.tarifas) })),
  ]
}
