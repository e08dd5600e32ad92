import type { Conversa } from '@balcao/contract/entities/conversa'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type ConversaListFilter, filterConversas, isFiltering } from './filters.ts'
import { useOpenConversas, useServerConversas } from './use-conversas.ts'

const SEARCH_DEBOUNCE_MS = 300

function useDebounced<T>(value: T, ms: number): T {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const wait = setTimeout(() => setDelayed(value), ms)
    return () => clearTimeout(wait)
  }, [value, ms])
  return delayed
}

const NO_CONVERSAS: readonly Conversa[] = []

/** Open conversas from the live list. Finished ones, and matches beyond the loaded pages, from the server. */
export function useVisibleConversas(chosen: ConversaListFilter) {
  // Deferred: the typed key shows first, then 10,000 rows are filtered.
  const filter = useDeferredValue(chosen)
  const open = useOpenConversas()
  // Deferred: each event sorts the whole list, and typing has priority.
  const conversas = useDeferredValue(open.conversas)
  // Only the text is debounced: a click on status or setor searches immediately.
  const request = { ...filter, busca: useDebounced(filter.busca, SEARCH_DEBOUNCE_MS) }
  const finished = filter.status === 'finalizada'
  const enabled = finished || (open.hasMore && isFiltering(filter))
  const server = useServerConversas(request, enabled)
  const fromServer = enabled ? server.conversas : NO_CONVERSAS
  const visible = useMemo(() => {
    if (finished) return filterConversas(fromServer, filter)
    if (fromServer.length === 0) return filterConversas(conversas, filter)
    const seen = new Set(conversas.map(({ id }) => id))
    return filterConversas([...conversas, ...fromServer.filter(({ id }) => !seen.has(id))], filter)
  }, [conversas, fromServer, finished, filter])
  return {
    open,
    visible,
    /** True while `visible` is narrowed by a typed text. */
    narrowed: filter.busca !== '',
    fromServer,
    // While the deferred rows render, an empty list still counts as loading.
    loading: finished ? server.isPending : open.loading || (conversas.length === 0 && open.conversas.length > 0),
    error: finished ? server.error : open.error,
    retry: () => (finished ? void server.refetch() : open.reload()),
    /** Loaded conversas, visible or not: each new page increases it. */
    loadedCount: conversas.length + fromServer.length,
    hasMore: enabled ? server.hasMore : open.hasMore,
    loadMore: enabled ? server.loadMore : open.loadMore,
  }
}
