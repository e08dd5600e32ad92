import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { MENSAGENS_NO_CARTAO } from '@balcao/contract/constants'
import { readerOf } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { ResponseOf } from '@balcao/contract/define-route'
import { conversasHumanasRoute } from '@balcao/contract/routes/atendimento'
import {
  forgetConversas,
  type KnownConversas,
  openConversas,
  putConversas,
} from '@balcao/contract/sync/known-conversas'
import { call } from '#shared/api-client.ts'
import { changeKnown, storeAnswer, storeConversas, useKnownConversas } from '#shared/data/conversas/known-conversas.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { socketState, onSocketState, onSocketEvent } from '#shared/realtime/socket.ts'
import {
  type ConversaIds,
  FINISHED_KEY,
  readConversasCopy,
  refetchFinished,
  storeConversasCopy,
} from './conversa-cache.ts'
import { type ConversaListFilter, type ConversaStatusFilter, filterConversas, isFiltering } from './filters.ts'
import { compareInView, type ListView } from './views.ts'
import { useNow } from './waiting-time.ts'

const PAGE_SIZE = 100
/** Page size for refetches: the most the server allows. */
const PAGE_MAX = 200

interface ConversaQuery {
  readonly visao?: ListView
  readonly status?: ConversaStatusFilter
  readonly setor?: string
  readonly busca?: string
  readonly etiqueta?: string
  readonly operador?: string
  readonly linha?: string
}

interface ConversaPageQuery extends ConversaQuery {
  readonly limite: number
  readonly cursor?: string | undefined
}

type ConversaPage = ResponseOf<typeof conversasHumanasRoute>

async function fetchConversaPage(
  { cursor, ...request }: ConversaPageQuery,
  signal?: AbortSignal,
): Promise<ConversaPage> {
  const query = { ...request, mensagens: MENSAGENS_NO_CARTAO, ...(cursor === undefined ? {} : { cursor }) }
  return call(conversasHumanasRoute, { query, ...(signal === undefined ? {} : { signal }) })
}

async function fetchConversas(request: ConversaQuery, count: number, signal: AbortSignal): Promise<ConversaPage> {
  let list = await fetchConversaPage({ ...request, limite: count > PAGE_SIZE ? PAGE_MAX : PAGE_SIZE }, signal)
  while (list.proximoCursor !== undefined && list.conversas.length < count) {
    // oxlint-disable-next-line no-await-in-loop -- each page begins where the one before ended
    const page = await fetchConversaPage({ ...request, limite: PAGE_MAX, cursor: list.proximoCursor }, signal)
    list = { ...page, conversas: [...list.conversas, ...page.conversas] }
  }
  return list
}

function idsOf({ conversas, proximoCursor }: ConversaPage, before: readonly string[] = []): ConversaIds {
  return { ids: [...new Set([...before, ...conversas.map(({ id }) => id)])], proximoCursor }
}

/** List with keyset pagination. A refetch reads as many rows as before, so the list never shrinks. */
function useConversaPages(
  queryKey: readonly unknown[],
  request: ConversaQuery,
  load: (count: number, signal: AbortSignal) => Promise<ConversaPage>,
  enabled = true,
) {
  const client = useQueryClient()
  const query = useQuery({
    queryKey,
    queryFn: async ({ signal }) =>
      idsOf(await load(client.getQueryData<ConversaIds>(queryKey)?.ids.length ?? 0, signal)),
    networkMode: 'always',
    enabled,
  })
  const loadMore = async (): Promise<void> => {
    const cursor = query.data?.proximoCursor
    if (cursor === undefined) return
    const page = await storeAnswer(
      () => fetchConversaPage({ ...request, limite: PAGE_MAX, cursor }),
      ({ conversas }) => storeConversas(client, conversas),
    )
    client.setQueryData<ConversaIds>(queryKey, (list) =>
      // A refetch replaced the list, so this page does not fit.
      list?.proximoCursor === cursor ? idsOf(page, list.ids) : list,
    )
  }
  return { ...query, hasMore: query.data?.proximoCursor !== undefined, loadMore }
}

/** Stores the open conversas of an answer, and forgets those that it should contain and does not. */
function withOpen(known: KnownConversas, { conversas, proximoCursor }: ConversaPage): KnownConversas {
  const ids = new Set(conversas.map(({ id }) => id))
  const last = proximoCursor === undefined ? undefined : conversas.at(-1)
  const gone = openConversas(known).filter(
    (conversa) => !ids.has(conversa.id) && (last === undefined || compareInView(conversa, last) < 0),
  )
  const kept = forgetConversas(
    known,
    gone.map(({ id }) => id),
  )
  return putConversas(kept, conversas)
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

const ALL: ConversaQuery = { visao: 'todas' }
const NOTHING: readonly Conversa[] = []

function useOpenConversas() {
  const { contaId } = useUsuario()
  const client = useQueryClient()
  const known = useKnownConversas()
  const open = useMemo(() => openConversas(known), [known])
  const query = useConversaPages(QUERY_KEYS.conversas, ALL, async (count, signal) => {
    const list = await storeAnswer(
      () => fetchConversas(ALL, count, signal),
      (answer) => changeKnown(client, (before) => withOpen(before, answer)),
    )
    storeConversasCopy(contaId, list.conversas)
    return list
  })
  const { data, error, isPending, isFetching, refetch, hasMore, loadMore } = query
  const stored = useLocalCopy(contaId, data === undefined && error !== null)
  useRefetchIfChanged(client, isFetching)
  return {
    conversas: data === undefined ? (stored ?? NOTHING) : open,
    loading: isPending,
    refetching: isFetching && !isPending,
    error,
    fromCopy: stored !== null,
    hasMore,
    loadMore,
    reload: () => void refetch(),
  }
}

/** The lists of the server that no local rule can follow: finished conversas and mentions. */
function useFollowFinished(): void {
  const client = useQueryClient()
  const { contaId } = useUsuario()
  useEffect(() => {
    const isListed = (id: string): boolean =>
      client.getQueriesData<ConversaIds>({ queryKey: FINISHED_KEY }).some(([, list]) => list?.ids.includes(id) === true)
    return onSocketEvent(({ evento, dados }) => {
      if (dados.userId !== contaId) return
      const changed =
        evento === 'conversaFinalizada' ||
        ((evento === 'novaConversaHumana' || evento === 'conversaReaberta') && isListed(dados.conversa.id)) ||
        (evento === 'avisoNovo' && dados.aviso.tipo === 'mencao') ||
        ((evento === 'conversaAssumida' || evento === 'conversaTransferida' || evento === 'leituraMudou') &&
          isListed(dados.conversaId))
      if (changed) void refetchFinished(client)
    })
  }, [client, contaId])
}

function useServerConversas(filter: ConversaListFilter, enabled: boolean) {
  const { visao, status, setor, busca, etiqueta, operador, linha } = filter
  useFollowFinished()
  const request: ConversaQuery = {
    ...(status === 'todos' ? { visao } : { status }),
    ...(setor === null ? {} : { setor }),
    ...(etiqueta === null ? {} : { etiqueta }),
    ...(operador === null ? {} : { operador }),
    ...(linha === null ? {} : { linha }),
    ...(busca.trim() === '' ? {} : { busca: busca.trim() }),
  }
  const client = useQueryClient()
  const { byId } = useKnownConversas()
  const query = useConversaPages(
    [...FINISHED_KEY, request],
    request,
    (count, signal) =>
      storeAnswer(
        () => fetchConversas(request, count, signal),
        ({ conversas }) => storeConversas(client, conversas),
      ),
    enabled,
  )
  const { data } = query
  const conversas = useMemo(() => data?.ids.flatMap((id) => byId.get(id) ?? []) ?? NOTHING, [data, byId])
  return { ...query, conversas }
}

const SEARCH_DEBOUNCE_MS = 300

function useDebounced<T>(value: T, ms: number): T {
  const [delayed, setDelayed] = useState(value)
  useEffect(() => {
    const wait = setTimeout(() => setDelayed(value), ms)
    return () => clearTimeout(wait)
  }, [value, ms])
  return delayed
}

/** True for a list of which the open conversas of this tab say nothing. */
const isOfServer = ({ status, visao }: ConversaListFilter): boolean =>
  status === 'finalizada' || (status === 'todos' && visao === 'mencoes')

export function useVisibleConversas(chosen: ConversaListFilter) {
  // Deferred: the typed key shows first, then 10,000 rows are filtered.
  const filter = useDeferredValue(chosen)
  const open = useOpenConversas()
  // Deferred: each event sorts the whole list, and typing has priority.
  const conversas = useDeferredValue(open.conversas)
  // Only the text is debounced: a click on status or setor searches immediately.
  const request = { ...filter, busca: useDebounced(filter.busca, SEARCH_DEBOUNCE_MS) }
  const ofServer = isOfServer(filter)
  const enabled = ofServer || (open.hasMore && (filter.visao !== 'todas' || isFiltering(filter)))
  const server = useServerConversas(request, enabled)
  const fromServer = enabled ? server.conversas : NOTHING
  const usuario = useUsuario()
  const nowMs = useNow()
  const visible = useMemo(() => {
    const moment = { me: readerOf(usuario), nowMs }
    if (ofServer) return filterConversas(fromServer, filter, moment)
    if (fromServer.length === 0) return filterConversas(conversas, filter, moment)
    const seen = new Set(conversas.map(({ id }) => id))
    return filterConversas([...conversas, ...fromServer.filter(({ id }) => !seen.has(id))], filter, moment)
  }, [conversas, fromServer, ofServer, filter, usuario, nowMs])
  return {
    open,
    visible,
    narrowed: filter.busca !== '',
    fromServer,
    // While the deferred rows render, an empty list still counts as loading.
    loading: ofServer ? server.isPending : open.loading || (conversas.length === 0 && open.conversas.length > 0),
    error: ofServer ? server.error : open.error,
    retry: () => (ofServer ? void server.refetch() : open.reload()),
    /** Loaded conversas, visible or not: each new page increases it. */
    loadedCount: conversas.length + fromServer.length,
    hasMore: enabled ? server.hasMore : open.hasMore,
    loadMore: enabled ? server.loadMore : open.loadMore,
  }
}
