import type { PERIODOS_AUDITORIA } from '@balcao/contract/administration'
import { FUSO_PADRAO } from '@balcao/contract/constants'
import { auditoriaRoute } from '@balcao/contract/routes/auditoria'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { firstIdAt } from '#ids.ts'
import { startOfDay } from '#modules/logs/index.ts'
import { listAtos } from './repository.ts'

const ATOS_PER_PAGE = 50
const DAY_MS = 24 * 3_600_000

export function auditoriaRoutes(deps: Pick<Deps, 'db' | 'clock'>): BoundRoute[] {
  return [
    bind(auditoriaRoute, async ({ query }) => {
      const page = pageOf(query, ATOS_PER_PAGE)
      const start = periodStart(query.periodo ?? 'tudo', deps.clock.now())
      const acts = await deps.db.read('*', (tx) =>
        listAtos(tx, {
          ...page,
          acao: query.acao ?? null,
          quem: query.quem ?? '',
          resultado: query.resultado ?? null,
          desde: start === null ? null : firstIdAt(start),
        }),
      )
      const { itens, ...rest } = cutPage(acts, page)
      return { atos: itens, ...rest }
    }),
  ]
}

function periodStart(period: (typeof PERIODOS_AUDITORIA)[number], now: Date): Date | null {
  switch (period) {
    case 'hoje':
      return startOfDay(now, FUSO_PADRAO)
    case '7dias':
      return new Date(now.getTime() - 7 * DAY_MS)
    case '30dias':
      return new Date(now.getTime() - 30 * DAY_MS)
    case 'tudo':
      return null
    default:
      return period satisfies never
  }
}
