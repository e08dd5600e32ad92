import type { Ato } from '@balcao/contract/entities/auditoria'
import { auditoriaRoute } from '@balcao/contract/routes/auditoria'
import { useInfiniteQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import type { AuditoriaViewFilter } from '#features/admin/admin-search.ts'

const PAGE_SIZE = 50
const EXPORT_PAGE_SIZE = 200
/** Rows per export. For more, the user must choose a shorter period. */
export const AUDITORIA_EXPORT_MAX = 10_000
const FIRST_PAGE: string | undefined = undefined

interface AuditoriaPage {
  readonly atos: readonly Ato[]
  readonly proximoCursor?: string | undefined
}

function fetchAuditoriaPage(
  { busca, acao, periodo, resultado }: AuditoriaViewFilter,
  page: { readonly limite: number; readonly cursor: string | undefined },
  signal?: AbortSignal,
): Promise<AuditoriaPage> {
  const query = {
    ...page,
    quem: busca === '' ? undefined : busca,
    acao: acao === 'todas' ? undefined : acao,
    periodo,
    resultado: resultado === 'todos' ? undefined : resultado,
  }
  return call(auditoriaRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

export function useAuditoria(filter: AuditoriaViewFilter) {
  return useInfiniteQuery({
    queryKey: ['admin', 'auditoria', filter],
    queryFn: ({ pageParam, signal }) => fetchAuditoriaPage(filter, { limite: PAGE_SIZE, cursor: pageParam }, signal),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (page: AuditoriaPage) => page.proximoCursor,
    placeholderData: (before) => before,
    // New acts arrive all the time: refetch on every mount.
    staleTime: 0,
  })
}

export async function fetchAllAtos(filter: AuditoriaViewFilter): Promise<Ato[]> {
  const acts: Ato[] = []
  let cursor = FIRST_PAGE
  do {
    const page = await fetchAuditoriaPage(filter, { limite: EXPORT_PAGE_SIZE, cursor })
    acts.push(...page.atos)
    cursor = page.proximoCursor
  } while (cursor !== undefined && acts.length < AUDITORIA_EXPORT_MAX)
  return acts
}
