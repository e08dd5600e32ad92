import { LOGS_MANTIDOS, MENSAGENS_LISTADAS } from '@balcao/contract/constants'
import { logsRoute, mensagensRoute } from '@balcao/contract/routes/registros'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { listLogs, listBotMensagens } from './repository.ts'

export function logsRoutes({ db, clock }: Pick<Deps, 'db' | 'clock'>): BoundRoute[] {
  return [
    bind(logsRoute, async ({ sessao: { contaId }, query }) => {
      const pagina = pageOf(query, LOGS_MANTIDOS)
      const lidos = await db.transaction(contaId, (tx) => listLogs(tx, contaId, pagina, query, clock.now()))
      const { itens: logs, ...resto } = cutPage(lidos, pagina)
      return { logs, ...resto }
    }),
    bind(mensagensRoute, async ({ sessao: { contaId }, query }) => {
      const pagina = pageOf(query, MENSAGENS_LISTADAS)
      const lidas = await db.transaction(contaId, (tx) => listBotMensagens(tx, contaId, pagina))
      const { itens: mensagens, ...resto } = cutPage(lidas, pagina)
      return { mensagens, ...resto }
    }),
  ]
}
