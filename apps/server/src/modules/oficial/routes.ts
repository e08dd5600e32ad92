import { enviarModeloRoute, modelosOficiaisRoute } from '@balcao/contract/routes/modelos-oficiais'
import { oficialRoute, salvarOficialRoute } from '@balcao/contract/routes/oficial'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { readOficial, saveOficial } from './save-oficial.ts'
import { sendModelo, listApprovedModelos } from './send-modelo.ts'

export function oficialRoutes(deps: Deps): BoundRoute[] {
  return [
    bind(oficialRoute, async ({ sessao: { contaId } }) => ({
      oficial: await deps.db.read(contaId, (tx) => readOficial(tx, deps, contaId)),
    })),
    bind(salvarOficialRoute, async ({ sessao, body }) => ({
      oficial: await saveOficial(deps, sessao, body),
    })),
    bind(modelosOficiaisRoute, async ({ sessao }) => ({ modelos: await listApprovedModelos(deps, sessao.contaId) })),
    bind(enviarModeloRoute, ({ sessao, params, body }) => sendModelo(deps, sessao, { id: params.id, ...body })),
  ]
}
