import { useInfiniteQuery } from '@tanstack/react-query'
import type { ResultadoBusca } from '@balcao/contract/entities/busca'
import { buscarMensagensRoute } from '@balcao/contract/routes/atendimento-busca'
import { call } from '#shared/api-client.ts'

const PAGE_SIZE = 40

export interface FoundMensagens {
  readonly found: readonly ResultadoBusca[] | undefined
  readonly error: Error | null
  readonly hasMore: boolean
  readonly loadingMore: boolean
  readonly moreFailed: boolean
  readonly loadMore: () => void
  readonly retry: () => void
}

export function useMensagemSearch(q: string): FoundMensagens {
  const { data, error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } =
    useInfiniteQuery({
      queryKey: ['busca', q],
      queryFn: ({ pageParam, signal }) =>
        call(buscarMensagensRoute, {
          query: { q, limite: PAGE_SIZE, ...(pageParam === '' ? {} : { cursor: pageParam }) },
          signal,
        }),
      initialPageParam: '',
      getNextPageParam: ({ proximoCursor }) => proximoCursor,
      networkMode: 'always',
      refetchOnReconnect: true,
      // New messages arrive while the person reads the results; opening the search again reads them.
      staleTime: 0,
      gcTime: 60_000,
    })
  return {
    found: data?.pages.flatMap(({ resultados }) => resultados),
    error,
    hasMore: hasNextPage,
    loadingMore: isFetchingNextPage,
    moreFailed: isFetchNextPageError,
    loadMore: () => void fetchNextPage(),
    retry: () => void refetch(),
  }
}
