import type { Conversa } from '@balcao/contract/entities/conversa'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import { conversaHumanaRoute } from '@balcao/contract/routes/atendimento'
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { fetchWithUpdates } from '#shared/realtime/list-updates.ts'
import { useUsuario } from '#shared/session.tsx'
import { socketState, onSocketState, onSocketEvent } from '#shared/realtime/socket.ts'
import { type ConversaPages, FINISHED_KEY, refetchFinished, SINGLE_KEY } from './conversa-cache.ts'
import type { ConversaListFilter, ConversaStatusFilter } from './filters.ts'
import { readConversasCopy, storeConversasCopy } from './local-copy.ts'

const PAGE_SIZE = 100
/** Page size for refetches and for waiting conversas: the most the server allows. */
const PAGE_MAX = 200
/** At 200 per page: beyond 2,000 waiting conversas the order is right only for the loaded ones. */
const WAITING_PAGES_MAX = 10
const MENSAGENS_PER_CARD = 1

interface ConversaQuery {
  readonly status?: ConversaStatusFilter
  readonly setor?: string
  readonly busca?: string
  readonly etiqueta?: string
  readonly operador?: string
}

interface ConversaPageQuery extends ConversaQuery {
  readonly limite: number
  readonly cursor?: string | undefined
}

type LoadList = (fetchList: () => Promise<ConversaPages>, signal: AbortSignal) => Promise<ConversaPages>

async function fetchConversaPage(
  { cursor, ...request }: ConversaPageQuery,
  signal?: AbortSignal,
): Promise<ConversaPages> {
  const query = { ...request, mensagens: MENSAGENS_PER_CARD, ...(cursor === undefined ? {} : { cursor }) }
  return call(conversasHumanasRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

function mergeConversas(before: readonly Conversa[], after: readonly Conversa[]): readonly Conversa[] {
  const seen = new Set(before.map(({ id }) => id))
  return [...before, ...after.filter(({ id }) => !seen.has(id))]
}

/** The server sorts by activity, so the longest waiting conversa may be on a later page: adds all waiting conversas. */
async function mergeWaiting(list: ConversaPages, signal: AbortSignal): Promise<ConversaPages> {
  const all = new Map(list.conversas.map((conversa) => [conversa.id, conversa]))
  let cursor: string | undefined
  for (let page = 0; page < WAITING_PAGES_MAX; page += 1) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const waiting = await fetchConversaPage({ limite: PAGE_MAX, status: 'aguardando', cursor }, signal)
    for (const conversa of waiting.conversas) if (!all.has(conversa.id)) all.set(conversa.id, conversa)
    cursor = waiting.proximoCursor
    if (cursor === undefined) break
  }
  return { ...list, conversas: [...all.values()] }
}

/** Fetches a page, and further ones until the list has `count` conversas. */
async function fetchConversas(request: ConversaQuery, count: number, signal: AbortSignal): Promise<ConversaPages> {
  let list = await fetchConversaPage({ ...request, limite: count > PAGE_SIZE ? PAGE_MAX : PAGE_SIZE }, signal)
  while (list.proximoCursor !== undefined && list.conversas.length < count) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const page = await fetchConversaPage({ ...request, limite: PAGE_MAX, cursor: list.proximoCursor }, signal)
    list = { ...page, conversas: mergeConversas(list.conversas, page.conversas) }
  }
  return list
}

/**
 * List with keyset pagination. A refetch reads as many rows as before, so the list never shrinks.
 * `structuralSharing` is off: it compares by position and would create new objects for rows that moved.
 */
function useConversaPages(queryKey: readonly unknown[], request: ConversaQuery, load: LoadList, enabled = true) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => {
      const count = client.getQueryData<ConversaPages>(queryKey)?.conversas.length ?? 0
      return load(() => fetchConversas(request, count, signal), signal)
    },
    networkMode: 'always',
    structuralSharing: false,
    enabled,
  })
  const loadMore = async (): Promise<void> => {
    const cursor = query.data?.proximoCursor
    if (cursor === undefined) return
    const page = await fetchConversaPage({ ...request, limite: PAGE_MAX, cursor })
    client.setQueryData<ConversaPages>(queryKey, (list) =>
      // A refetch replaced the list, so this page does not fit.
      list?.proximoCursor === cursor ? { ...page, conversas: mergeConversas(list.conversas, page.conversas) } : list,
    )
  }
  return { ...query, hasMore: query.data?.proximoCursor !== undefined, loadMore }
}

/** Refetches if an event or a reconnect happened during a fetch, because its answer may be outdated. */
function useRefetchIfChanged(client: QueryClient, fetching: boolean): void {
  const changed = useRef(false)
  useEffect(() => {
    const mark = (): void => {
      if (client.getQueryState(QUERY_KEYS.conversas)?.fetchStatus === 'fetching') changed.current = true
    }
    const stopEvents = onSocketEvent(({ evento }) => {
      if (/conversa/i.test(evento) && evento !== 'botConversaAtiva') mark()
    })
    const stopState = onSocketState(() => {
      if (socketState().tipo === 'online') mark()
    })
    return () => {
      stopEvents()
      stopState()
    }
  }, [client])
  useEffect(() => {
    if (fetching || !changed.current) return
    changed.current = false
    void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
  }, [client, fetching])
}

function useLocalCopy(contaId: string, enabled: boolean): readonly Conversa[] | null {
  const { data } = useQuery({
    queryKey: ['atendimento', 'copia', contaId],
    queryFn: () => readConversasCopy(contaId),
    enabled,
    networkMode: 'always',
    gcTime: 0,
  })
  return enabled ? (data ?? null) : null
}

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

const ALL: ConversaQuery = {}
const NO_CONVERSAS: readonly Conversa[] = []

export function useOpenConversas(): OpenConversas {
  const { contaId } = useUsuario()
  const client = useQueryClient()
  const { data, error, isPending, isFetching, refetch, hasMore, loadMore } = useConversaPages(
    QUERY_KEYS.conversas,
    ALL,
    (fetchList, signal) =>
      fetchWithUpdates(async () => {
        const list = await fetchList()
        storeConversasCopy(contaId, list.conversas)
        return list.proximoCursor === undefined ? list : mergeWaiting(list, signal)
      }),
  )
  const stored = useLocalCopy(contaId, data === undefined && error !== null)
  useRefetchIfChanged(client, isFetching)
  return {
    conversas: data?.conversas ?? stored ?? NO_CONVERSAS,
    loading: isPending,
    refetching: isFetching && !isPending,
    error,
    fromCopy: stored !== null,
    hasMore,
    loadMore,
    reload: () => void refetch(),
  }
}

/** Refetches the finished conversas when one finishes, or when a listed one is reopened. */
function useFollowFinished(): void {
  const client = useQueryClient()
  const { contaId } = useUsuario()
  useEffect(() => {
    const isListed = (id: string): boolean =>
      client
        .getQueriesData<ConversaPages>({ queryKey: FINISHED_KEY })
        .some(([, list]) => list?.conversas.some((conversa) => conversa.id === id) === true)
    return onSocketEvent(({ evento, dados }) => {
      if (dados.userId !== contaId) return
      const changed =
        evento === 'conversaFinalizada' ||
        ((evento === 'novaConversaHumana' || evento === 'conversaReaberta') && isListed(dados.conversa.id)) ||
        ((evento === 'conversaAssumida' || evento === 'conversaTransferida') && isListed(dados.conversaId))
      if (changed) void refetchFinished(client)
    })
  }, [client, contaId])
}

/** Queries the server for finished conversas, and for filter matches beyond the loaded pages. */
export function useServerConversas(filter: ConversaListFilter, enabled: boolean) {
  const { status, setor, busca, etiqueta, operador } = filter
  useFollowFinished()
  const request: ConversaQuery = {
    status,
    ...(setor === null ? {} : { setor }),
    ...(etiqueta === null ? {} : { etiqueta }),
    ...(operador === null ? {} : { operador }),
    ...(busca.trim() === '' ? {} : { busca: busca.trim() }),
  }
  return useConversaPages([...FINISHED_KEY, request], request, (fetchList) => fetchList(), enabled)
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
