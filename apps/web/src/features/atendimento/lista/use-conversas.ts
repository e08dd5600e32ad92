import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversaHumanaRoute, estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento'
import { setoresRoute } from '@balcao/contract/routes/atendimento-setores'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { socketState, onSocketState, onSocketEvent } from '#shared/realtime/socket.ts'
import type { ConversaListFilter } from './filters.ts'
import { fetchConversaPage, mergeConversas, type ConversaPages, PAGE_MAX, type ConversaQuery } from './paginas.ts'

const PAGE_SIZE = 100
const SINGLE_KEY = ['atendimento', 'conversa'] as const
const FINISHED_KEY = ['atendimento', 'finalizadas'] as const
export const SETORES_KEY = ['atendimento', 'setores'] as const

/**
 * List with keyset pagination. A refetch reads as many rows as before, so the list never shrinks.
 * `structuralSharing` is off: it compares by position and would create new objects for rows that moved.
 */
function useConversaPages(
  queryKey: readonly unknown[],
  request: ConversaQuery,
  complete: CompleteList,
  enabled = true,
) {
  const cliente = useQueryClient()
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      const count = cliente.getQueryData<ConversaPages>(queryKey)?.conversas.length ?? 0
      let lista = await fetchConversaPage({ ...request, limite: count > PAGE_SIZE ? PAGE_MAX : PAGE_SIZE }, signal)
      while (lista.proximoCursor !== undefined && lista.conversas.length < count) {
        // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
        const page = await fetchConversaPage({ ...request, limite: PAGE_MAX, cursor: lista.proximoCursor }, signal)
        lista = { ...page, conversas: mergeConversas(lista.conversas, page.conversas) }
      }
      return complete(lista, signal)
    },
    networkMode: 'always',
    structuralSharing: false,
    enabled,
  })
  const carregarMais = async (): Promise<void> => {
    const cursor = query.data?.proximoCursor
    if (cursor === undefined) return
    const page = await fetchConversaPage({ ...request, limite: PAGE_MAX, cursor })
    cliente.setQueryData<ConversaPages>(queryKey, (lista) =>
      // A refetch replaced the list, so this page does not fit.
      lista?.proximoCursor === cursor ? { ...page, conversas: mergeConversas(lista.conversas, page.conversas) } : lista,
    )
  }
  return { ...query, temMais: query.data?.proximoCursor !== undefined, carregarMais }
}

type CompleteList = (lista: ConversaPages, signal: AbortSignal) => ConversaPages | Promise<ConversaPages>

export interface OpenConversas {
  readonly conversas: readonly Conversa[]
  readonly loading: boolean
  readonly refetching: boolean
  readonly error: Error | null
  readonly fromCopy: boolean
  readonly hasMore: boolean
  readonly loadMore: () => Promise<void>
  readonly reload: () => void
}

/** Refetches if an event or a reconnect happened during a fetch, because its answer may be outdated. */
function useRefetchIfChanged(cliente: QueryClient, buscando: boolean): void {
  const changed = useRef(false)
  useEffect(() => {
    const mark = (): void => {
      if (cliente.getQueryState(QUERY_KEYS.conversas)?.fetchStatus === 'fetching') changed.current = true
    }
    const pararEventos = onSocketEvent(({ evento }) => {
      if (/conversa/i.test(evento) && evento !== 'botConversaAtiva') mark()
    })
    const pararEstado = onSocketState(() => {
      if (socketState().tipo === 'online') mark()
    })
    return () => {
      pararEventos()
      pararEstado()
    }
  }, [cliente])
  useEffect(() => {
    if (buscando || !changed.current) return
    changed.current = false
    void cliente.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  }, [cliente, buscando])
}

function noCopy(): null {
  return null
}

function useLocalCopy(contaId: string, precisa: boolean): readonly Conversa[] | null {
  const { data } = useQuery({
    queryKey: ['atendimento', 'copia', contaId],
    queryFn: async () => (await import('./local-copy.ts')).readConversasCopy(contaId),
    enabled: precisa,
    networkMode: 'always',
    gcTime: 0,
  })
  return precisa ? (data ?? null) : null
}

export function useOpenConversas(): OpenConversas {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  const { data, error, isPending, isFetching, refetch, temMais, carregarMais } = useConversaPages(
    QUERY_KEYS.conversas,
    ALL,
    async (lista, signal) => {
      void import('./local-copy.ts').then(
        ({ storeConversasCopy }) => storeConversasCopy(contaId, lista.conversas),
        noCopy,
      )
      if (lista.proximoCursor === undefined) return lista
      const { mergeWaiting } = await import('./quem-espera.ts')
      return mergeWaiting(lista, (cursor) =>
        fetchConversaPage({ limite: PAGE_MAX, status: 'aguardando', cursor }, signal),
      )
    },
  )
  const stored = useLocalCopy(contaId, data === undefined && error !== null)
  useRefetchIfChanged(cliente, isFetching)
  return {
    conversas: data?.conversas ?? stored ?? NO_CONVERSAS,
    loading: isPending,
    refetching: isFetching && !isPending,
    error: error,
    fromCopy: stored !== null,
    hasMore: temMais,
    loadMore: carregarMais,
    reload: () => void refetch(),
  }
}
const ALL: ConversaQuery = {}
const NO_CONVERSAS: readonly Conversa[] = []

/** Refetches in progress. `outra`: another change arrived since it started. */
const refetches = new WeakMap<QueryClient, { outra: boolean }>()

/** Refetches the finished conversas: one refetch at a time, repeated if a change arrived meanwhile. */
async function refetchFinished(cliente: QueryClient): Promise<void> {
  const inFlight = refetches.get(cliente)
  if (inFlight !== undefined) {
    inFlight.outra = true
    return
  }
  const filtro = { queryKey: FINISHED_KEY }
  const esta = { outra: true }
  refetches.set(cliente, esta)
  while (esta.outra) {
    // An initial fetch in flight is awaited, not restarted. Its answer may be outdated, so another round follows.
    esta.outra = cliente.isFetching(filtro) > 0
    // oxlint-disable-next-line no-await-in-loop -- one after the other is the point
    await cliente.invalidateQueries(filtro, { cancelRefetch: false })
  }
  refetches.delete(cliente)
}

/** Refetches the finished conversas when one finishes, or when a listed one is reopened. */
function useFollowFinished(): void {
  const cliente = useQueryClient()
  const { contaId } = useUsuario()
  useEffect(() => {
    const naLista = (id: string): boolean =>
      cliente
        .getQueriesData<ConversaPages>({ queryKey: FINISHED_KEY })
        .some(([, lista]) => lista?.conversas.some((uma) => uma.id === id) === true)
    return onSocketEvent(({ evento, dados }) => {
      if (dados.userId !== contaId) return
      const changed =
        evento === 'conversaFinalizada' ||
        (evento === 'novaConversaHumana' && naLista(dados.conversa.id)) ||
        ((evento === 'conversaAssumida' || evento === 'conversaTransferida') && naLista(dados.conversaId))
      if (changed) void refetchFinished(cliente)
    })
  }, [cliente, contaId])
}

/** Queries the server for finished conversas, and for filter matches beyond the loaded pages. */
export function useServerConversas({ status, setor, busca }: ConversaListFilter, enabled: boolean) {
  useFollowFinished()
  const filtro: ConversaQuery = {
    status,
    ...(setor === null ? {} : { setor }),
    ...(busca.trim() === '' ? {} : { busca: busca.trim() }),
  }
  return useConversaPages([...FINISHED_KEY, filtro], filtro, (lista) => lista, enabled)
}

/** Falls back to the default setores when the request fails. */
export function useSetoresWithDefault(): readonly Setor[] {
  const { data } = useQuery({
    queryKey: SETORES_KEY,
    queryFn: async ({ signal }) => {
      try {
        return (await call(setoresRoute, { signal })).setores
      } catch {
        const { defaultConfig } = await import('@balcao/contract/defaults')
        return defaultConfig().atendimento.setores
      }
    },
    networkMode: 'always',
  })
  return data ?? NO_SETORES
}
const NO_SETORES: readonly Setor[] = []

export function useServerTotals(enabled: boolean) {
  return useQuery({
    queryKey: QUERY_KEYS.atendimento,
    queryFn: ({ signal }) => call(estatisticasAtendimentoRoute, { signal }),
    enabled: enabled,
    retry: false,
  }).data?.porSetor
}

/** A conversa outside the loaded pages, for example opened by a link. */
export function useSingleConversa(id: string | undefined, enabled: boolean) {
  return useQuery({
    queryKey: [...SINGLE_KEY, id],
    queryFn: async ({ signal }) => (await call(conversaHumanaRoute, { params: { id: id ?? '' }, signal })).conversa,
    enabled: enabled && id !== undefined,
    retry: false,
  })
}

/** Updates one conversa in the cache. The other objects stay identical, so their cards do not re-render. */
export function updateCachedConversa(client: QueryClient, id: string, update: (conversa: Conversa) => Conversa): void {
  client.setQueryData<ConversaPages>(QUERY_KEYS.conversas, (lista) =>
    lista === undefined
      ? undefined
      : { ...lista, conversas: lista.conversas.map((conversa) => (conversa.id === id ? update(conversa) : conversa)) },
  )
  client.setQueryData<Conversa>([...SINGLE_KEY, id], (avulsa) => (avulsa === undefined ? undefined : update(avulsa)))
}

export function removeCachedConversa(client: QueryClient, id: string): void {
  client.setQueryData<ConversaPages>(QUERY_KEYS.conversas, (lista) =>
    lista === undefined ? undefined : { ...lista, conversas: lista.conversas.filter((conversa) => conversa.id !== id) },
  )
  void refetchFinished(client)
}
