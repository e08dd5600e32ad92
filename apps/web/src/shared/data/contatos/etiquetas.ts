import type { Etiqueta } from '@balcao/contract/entities/etiqueta'
import { etiquetasRoute } from '@balcao/contract/routes/etiquetas'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

const NONE: readonly Etiqueta[] = []
const STALE_MS = 60_000

export function useEtiquetas() {
  return useQuery<readonly Etiqueta[]>({
    queryKey: QUERY_KEYS.etiquetas,
    queryFn: async ({ signal }) => (await call(etiquetasRoute, { signal })).etiquetas,
    networkMode: 'always',
    // Each card of the list uses them, so a stale list would be read again while the list scrolls.
    staleTime: STALE_MS,
  })
}

export function useEtiquetasOf(ids: readonly string[] = []): readonly Etiqueta[] {
  const { data = NONE } = useEtiquetas()
  return ids.length === 0 ? NONE : data.filter(({ id }) => ids.includes(id))
}

const REFRESH_AFTER_MS = 300
const waiting = new WeakSet<QueryClient>()

/** No event announces an etiqueta: the server publishes contatos that have or had it. Reads once per burst of events. */
export function refreshEtiquetas(client: QueryClient): void {
  if (waiting.has(client)) return
  waiting.add(client)
  setTimeout(() => {
    waiting.delete(client)
    void client.invalidateQueries({ queryKey: QUERY_KEYS.etiquetas })
  }, REFRESH_AFTER_MS)
}
