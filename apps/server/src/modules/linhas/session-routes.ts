import {
  codigoDaLinhaRoute,
  iniciarLinhaRoute,
  limparSessaoDaLinhaRoute,
  oficialDaLinhaRoute,
  pararLinhaRoute,
  salvarOficialDaLinhaRoute,
  statusDaLinhaRoute,
} from '@balcao/contract/routes/linhas-sessao'
import type { Deps } from '#deps.ts'
import type { LoginSession } from '#http/authentication.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { sessionActs } from '#modules/bot/index.ts'
import { readOficial, saveOficial } from '#modules/oficial/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { statusViewOf, visibleStatus } from '#realtime/rooms.ts'
import { readLine } from './linhas.ts'

export function lineSessionRoutes(deps: Deps): BoundRoute[] {
  const { bots, db } = deps
  const acts = sessionActs(deps)
  /** Throws `naoEncontrado`, also for the line of another account. */
  const lineOf = async ({ contaId }: LoginSession, id: string): Promise<LineKey> => {
    const linha = await db.transaction(contaId, (tx) => readLine(tx, deps, contaId, id))
    return { contaId, linhaId: linha.id }
  }
  return [
    bind(statusDaLinhaRoute, async ({ sessao, params }) =>
      visibleStatus(await bots.status(await lineOf(sessao, params.id)), statusViewOf(sessao)),
    ),
    bind(iniciarLinhaRoute, async ({ sessao, params }) => acts.start(await lineOf(sessao, params.id))),
    bind(pararLinhaRoute, async ({ sessao, params }) => acts.stop(await lineOf(sessao, params.id), sessao)),
    bind(limparSessaoDaLinhaRoute, async ({ sessao, params }) => acts.clear(await lineOf(sessao, params.id), sessao)),
    bind(codigoDaLinhaRoute, async ({ sessao, params, body }) =>
      acts.pair(await lineOf(sessao, params.id), body.telefone),
    ),
    bind(oficialDaLinhaRoute, async ({ sessao, params }) => {
      const line = await lineOf(sessao, params.id)
      return { oficial: await db.read(line.contaId, (tx) => readOficial(tx, deps, line)) }
    }),
    bind(salvarOficialDaLinhaRoute, async ({ sessao, params, body }) => {
      const { linhaId } = await lineOf(sessao, params.id)
      return { oficial: await saveOficial(deps, sessao, { linhaId, ...body }) }
    }),
  ]
}
