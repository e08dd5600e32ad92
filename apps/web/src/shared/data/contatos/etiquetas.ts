import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { etiquetasRoute } from '@balcao/contract/routes/etiquetas'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

const NONE: readonly Etiqueta[] = []

/** The etiquetas of the account in order of their names. */
export function useEtiquetas() {
  return useQuery<readonly Etiqueta[]>({
    queryKey: QUERY_KEYS.etiquetas,
    queryFn: async ({ signal }) => (await call(etiquetasRoute, { signal })).etiquetas,
    networkMode: 'always',
  })
}

/** The etiquetas with these ids. Ids that are not loaded or were deleted are left out. */
export function useEtiquetasOf(ids: readonly string[] = []): readonly Etiqueta[] {
  const { data = NONE } = useEtiquetas()
  return ids.length === 0 ? NONE : data.filter(({ id }) => ids.includes(id))
}
