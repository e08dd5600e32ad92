import { LOGS_MANTIDOS, MENSAGENS_LISTADAS } from '@balcao/contract/constants'
import { logsRoute, mensagensRoute } from '@balcao/contract/routes/registros'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { listLogs, listBotMensagens } from './repository.ts'

export function logsRoutes({ db, clock }: Pick<Deps, 'db' | 'clock'>): BoundRoute[] {
  return [
    bind(logsRoute, async ({ sessao: { contaId }, query }) => {
      const page = pageOf(query, LOGS_MANTIDOS)
      const parsed = await db.transaction(contaId, (tx) => listLogs(tx, contaId, page, query, clock.now()))
      const { itens: logs, ...rest } = cutPage(parsed, page)
      return { logs, ...rest }
    }),
    bind(mensagensRoute, async ({ sessao: { contaId }, query }) => {
      const page = pageOf(query, MENSAGENS_LISTADAS)
      const read = await db.transaction(contaId, (tx) => listBotMensagens(tx, contaId, page, query.linha ?? null))
      const { itens: mensagens, ...rest } = cutPage(read, page)
      return { mensagens, ...rest }
    }),
  ]
}
