import { enviarModeloRoute, modelosOficiaisRoute } from '@balcao/contract/routes/modelos-oficiais'
import { oficialRoute, salvarOficialRoute } from '@balcao/contract/routes/oficial'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { readMainLine } from '#modules/contas/index.ts'
import { readOficial, saveOficial } from './save-oficial.ts'
import { sendModelo, listApprovedModelos } from './send-modelo.ts'

export function oficialRoutes(deps: Deps): BoundRoute[] {
  const { db } = deps
  return [
    bind(oficialRoute, async ({ sessao: { contaId } }) => ({
      oficial: await db.read(contaId, async (tx) => readOficial(tx, deps, await readMainLine(tx, contaId))),
    })),
    bind(salvarOficialRoute, async ({ sessao, body }) => {
      const { linhaId } = await db.read(sessao.contaId, (tx) => readMainLine(tx, sessao.contaId))
      return { oficial: await saveOficial(deps, sessao, { linhaId, ...body }) }
    }),
    bind(modelosOficiaisRoute, async ({ sessao }) => {
      const line = await db.read(sessao.contaId, (tx) => readMainLine(tx, sessao.contaId))
      return { modelos: await listApprovedModelos(deps, line) }
    }),
    bind(enviarModeloRoute, ({ sessao, params, body }) => sendModelo(deps, sessao, { id: params.id, ...body })),
  ]
}
