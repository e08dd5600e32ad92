import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import { conversasRoute, limparConversasRoute } from '@balcao/contract/routes/registros'
import type { Deps } from '#deps.ts'
import { type BoundRoute, bind } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { countScheduledInFinished } from '#modules/exclusao/index.ts'
import { clearConversas } from './clear-conversas.ts'
import { listConversas } from './repository.ts'

export function registrosRoutes(
  deps: Pick<Deps, 'db' | 'files' | 'log' | 'clock' | 'vault' | 'realtime' | 'ids'>,
): BoundRoute[] {
  return [
    bind(conversasRoute, async ({ sessao: { contaId }, query }) => {
      const page = pageOf(query, LOGS_MANTIDOS)
      const { listed, agendadas } = await deps.db.transaction(contaId, async (tx) => {
        const { config } = await loadConfig(tx, deps, contaId)
        const inactiveBefore = new Date(deps.clock.now().getTime() - config.menu.expiraEmMinutos * 60_000)
        return {
          listed: await listConversas(tx, contaId, page, { linha: query.linha ?? null, inactiveBefore }),
          agendadas: await countScheduledInFinished(tx, { contaId }),
        }
      })
      const { itens: conversas, ...rest } = cutPage(listed, page)
      return { conversas, ...rest, agendadas }
    }),
    bind(limparConversasRoute, async ({ sessao }) => ({
      sucesso: true as const,
      ...(await clearConversas(deps, sessao)),
    })),
  ]
}
