import { FUSO_PADRAO } from '@balcao/contract/constants'
import type { PERIODOS_AUDITORIA } from '@balcao/contract/entities/auditoria'
import { auditoriaRoute } from '@balcao/contract/routes/auditoria'
import type { Deps } from '#deps.ts'
import { bind, type BoundRoute } from '#http/handle.ts'
import { cutPage, pageOf } from '#http/page.ts'
import { idDesde } from '#ids.ts'
import { inicioDoDia } from '#modules/logs/index.ts'
import { listAtos } from './repository.ts'

const ATOS_POR_PAGINA = 50
const DIA_MS = 24 * 3_600_000

export function auditoriaRoutes(deps: Pick<Deps, 'db' | 'clock'>): BoundRoute[] {
  return [
    bind(auditoriaRoute, async ({ query }) => {
      const pagina = pageOf(query, ATOS_POR_PAGINA)
      const inicio = inicioDe(query.periodo ?? 'tudo', deps.clock.now())
      const atos = await deps.db.read('*', (tx) =>
        listAtos(tx, {
          ...pagina,
          acao: query.acao ?? null,
          quem: query.quem ?? '',
          resultado: query.resultado ?? null,
          desde: inicio === null ? null : idDesde(inicio),
        }),
      )
      const { itens, ...resto } = cutPage(atos, pagina)
      return { atos: itens, ...resto }
    }),
  ]
}

function inicioDe(periodo: (typeof PERIODOS_AUDITORIA)[number], agora: Date): Date | null {
  switch (periodo) {
    case 'hoje':
      return inicioDoDia(agora, FUSO_PADRAO)
    case '7dias':
      return new Date(agora.getTime() - 7 * DIA_MS)
    case '30dias':
      return new Date(agora.getTime() - 30 * DIA_MS)
    case 'tudo':
      return null
    default:
      return periodo satisfies never
  }
}
