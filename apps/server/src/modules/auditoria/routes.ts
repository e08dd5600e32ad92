import { FUSO_PADRAO } from '@balcao/contract/constants'
import type { PERIODOS_AUDITORIA } from '@balcao/contract/administracao'
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
      const pagina = pageOf(query, ATOS_PER_PAGE)
      const inicio = periodStart(query.periodo ?? 'tudo', deps.clock.now())
      const atos = await deps.db.read('*', (tx) =>
        listAtos(tx, {
          ...pagina,
          acao: query.acao ?? null,
          quem: query.quem ?? '',
          resultado: query.resultado ?? null,
          desde: inicio === null ? null : firstIdAt(inicio),
        }),
      )
      const { itens, ...resto } = cutPage(atos, pagina)
      return { atos: itens, ...resto }
    }),
  ]
}

function periodStart(periodo: (typeof PERIODOS_AUDITORIA)[number], now: Date): Date | null {
  switch (periodo) {
    case 'hoje':
      return startOfDay(now, FUSO_PADRAO)
    case '7dias':
      return new Date(now.getTime() - 7 * DAY_MS)
    case '30dias':
      return new Date(now.getTime() - 30 * DAY_MS)
    case 'tudo':
      return null
    default:
      return periodo satisfies never
  }
}
