import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useOpenConversas, useServerConversas, useServerTotals } from './dados.ts'
import { countBySetor, type SetorCounts, type ConversaListFilter, isFiltering, filterConversas } from './filtros.ts'

const SEARCH_DEBOUNCE_MS = 300

function useDebounced<T>(valor: T, ms: number): T {
  const [atrasado, setAtrasado] = useState(valor)
  useEffect(() => {
    const espera = setTimeout(() => setAtrasado(valor), ms)
    return () => clearTimeout(espera)
  }, [valor, ms])
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
  const pedido = { ...filtro, busca: useDebounced(filtro.busca, SEARCH_DEBOUNCE_MS) }
  const finalizadas = filtro.status === 'finalizada'
  const ligada = finalizadas || (abertas.hasMore && isFiltering(filtro))
  const servidor = useServerConversas(pedido, ligada)
  const doServidor = (ligada ? servidor.data?.conversas : undefined) ?? NO_CONVERSAS
  const visiveis = useMemo(() => {
    if (finalizadas) return filterConversas(doServidor, filtro)
    if (doServidor.length === 0) return filterConversas(conversas, filtro)
    const vistas = new Set(conversas.map(({ id }) => id))
    return filterConversas([...conversas, ...doServidor.filter(({ id }) => !vistas.has(id))], filtro)
  }, [conversas, doServidor, finalizadas, filtro])
  return {
    abertas,
    visiveis,
    doServidor,
    // While the deferred rows render, an empty list still counts as loading.
    carregando: finalizadas
      ? servidor.isPending
      : abertas.loading || (conversas.length === 0 && abertas.conversas.length > 0),
    erro: finalizadas ? servidor.error : abertas.error,
    tentar: () => (finalizadas ? void servidor.refetch() : abertas.reload()),
    /** Loaded conversas, visible or not: each new page increases it. */
    lidas: conversas.length + doServidor.length,
    temMais: ligada ? servidor.temMais : abertas.hasMore,
    carregarMais: async () => {
      if (ligada) await servidor.carregarMais()
      else await abertas.loadMore()
    },
  }
}

export function useSetorCounts(all: readonly Conversa[], hasMore: boolean): ReadonlyMap<string, SetorCounts> {
  const conversas = useDeferredValue(all)
  const totais = useServerTotals(hasMore)
  return useMemo(
    () =>
      hasMore && totais !== undefined
        ? new Map(totais.map(({ setor, ...contagem }) => [setor, contagem]))
        : countBySetor(conversas),
    [conversas, hasMore, totais],
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
