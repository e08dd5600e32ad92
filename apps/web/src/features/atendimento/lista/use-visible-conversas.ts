import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useOpenConversas, useServerConversas, useServerTotals } from './use-conversas.ts'
import { countBySetor, type SetorCounts, type ConversaListFilter, isFiltering, filterConversas } from './filters.ts'

const SEARCH_DEBOUNCE_MS = 300

function useDebounced<T>(value: T, ms: number): T {
  const [atrasado, setAtrasado] = useState(value)
  useEffect(() => {
    const wait = setTimeout(() => setAtrasado(value), ms)
    return () => clearTimeout(wait)
  }, [value, ms])
  return atrasado
}

const NO_CONVERSAS: readonly Conversa[] = []

/** Open conversas from the live list. Finished ones, and matches beyond the loaded pages, from the server. */
export function useVisibleConversas(chosen: ConversaListFilter) {
  // Deferred: the typed key shows first, then 10,000 rows are filtered.
  const filtro = useDeferredValue(chosen)
  const abertas = useOpenConversas()
  // Deferred: each event sorts the whole list, and typing has priority.
  const conversas = useDeferredValue(abertas.conversas)
  // Only the text is debounced: a click on status or setor searches immediately.
  const request = { ...filtro, busca: useDebounced(filtro.busca, SEARCH_DEBOUNCE_MS) }
  const finished = filtro.status === 'finalizada'
  const enabled = finished || (abertas.hasMore && isFiltering(filtro))
  const server = useServerConversas(request, enabled)
  const doServidor = (enabled ? server.data?.conversas : undefined) ?? NO_CONVERSAS
  const visiveis = useMemo(() => {
    if (finished) return filterConversas(doServidor, filtro)
    if (doServidor.length === 0) return filterConversas(conversas, filtro)
    const seen = new Set(conversas.map(({ id }) => id))
    return filterConversas([...conversas, ...doServidor.filter(({ id }) => !seen.has(id))], filtro)
  }, [conversas, doServidor, finished, filtro])
  return {
    abertas,
    visiveis,
    doServidor,
    // While the deferred rows render, an empty list still counts as loading.
    carregando: finished
      ? server.isPending
      : abertas.loading || (conversas.length === 0 && abertas.conversas.length > 0),
    erro: finished ? server.error : abertas.error,
    tentar: () => (finished ? void server.refetch() : abertas.reload()),
    /** Loaded conversas, visible or not: each new page increases it. */
    lidas: conversas.length + doServidor.length,
    temMais: enabled ? server.temMais : abertas.hasMore,
    carregarMais: async () => {
      if (enabled) await server.carregarMais()
      else await abertas.loadMore()
    },
  }
}

export function useSetorCounts(all: readonly Conversa[], hasMore: boolean): ReadonlyMap<string, SetorCounts> {
  const conversas = useDeferredValue(all)
  const totals = useServerTotals(hasMore)
  return useMemo(
    () =>
      hasMore && totals !== undefined
        ? new Map(totals.map(({ setor, ...count }) => [setor, count]))
        : countBySetor(conversas),
    [conversas, hasMore, totals],
  )
}

export type SetorLook = Pick<Setor, 'nome' | 'cor'>

/** Name and colour of a setor, also of a removed one. Returns stable objects. */
export function useSetorOf(setores: readonly Setor[], conversas: readonly Conversa[]): (id: string) => SetorLook {
  const porId = useMemo(() => {
    const vistos = new Map<string, SetorLook>(setores.map((setor) => [setor.id, setor]))
    for (const { setor } of conversas) if (!vistos.has(setor)) vistos.set(setor, { nome: setor, cor: 'gray' })
    return vistos
  }, [setores, conversas])
  return useCallback((id) => porId.get(id) ?? { nome: id, cor: 'gray' }, [porId])
}
