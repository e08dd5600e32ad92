import { botStatusRoute, iniciarBotRoute, limparSessaoRoute, pararBotRoute } from '@balcao/contract/routes/bot'
import { codigoBotRoute } from '@balcao/contract/routes/bot-codigo'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { readConfig } from '#modules/configuracao/index.ts'
import { readMainLine } from '#modules/contas/index.ts'
import type { LineKey } from '#ports/bots.ts'
import { visibleStatus, statusViewOf } from '#realtime/rooms.ts'
import { sessionActs } from './session-acts.ts'

export function botRoutes(deps: Deps): BoundRoute[] {
  const { bots, db } = deps
  const acts = sessionActs(deps)
  const mainLine = ({ contaId }: Pick<LineKey, 'contaId'>) => db.read(contaId, (tx) => readMainLine(tx, contaId))
  return [
    bind(iniciarBotRoute, async ({ sessao }) => acts.start(await mainLine(sessao))),
    bind(pararBotRoute, async ({ sessao }) => acts.stop(await mainLine(sessao), sessao)),
    bind(limparSessaoRoute, async ({ sessao }) => acts.clear(await mainLine(sessao), sessao)),
    bind(codigoBotRoute, async ({ sessao, body }) => acts.pair(await mainLine(sessao), body.telefone)),
    bind(botStatusRoute, async ({ sessao }) => {
      const line = await mainLine(sessao)
      const [status, configuracao] = await Promise.all([bots.status(line), readConfig(deps, sessao.contaId)])
      return { ...visibleStatus(status, statusViewOf(sessao)), configuracao }
    }),
  ]
}
