import type { Busca } from '@balcao/contract/entities/busca'
import { buscaRoute } from '@balcao/contract/routes/busca'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { call } from '#shared/api-client.ts'

const PAUSE_MS = 200
const QUERY_MIN = 2

interface SearchState {
  /** The results of the last answered text stay while the next ones load. */
  readonly found: Busca | undefined
  readonly loading: boolean
  readonly error: Error | null
}

/** Searches while a person types. Nothing below two characters, and nothing while `enabled` is false. */
export function useSearchAll(text: string, enabled = true): SearchState {
  const written = text.trim()
  const [q, setQ] = useState(written)
  useEffect(() => {
    const pause = setTimeout(() => setQ(written), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [written])
  const active = enabled && q.length >= QUERY_MIN && written.length >= QUERY_MIN
  const { data, error, isFetching } = useQuery({
    queryKey: ['busca', 'tudo', q],
    queryFn: ({ signal }) => call(buscaRoute, { query: { q }, signal }),
    enabled: active,
    placeholderData: (before) => before,
    staleTime: 0,
    gcTime: 60_000,
    retry: false,
    networkMode: 'always',
  })
  return {
    found: active ? data : undefined,
    loading: active && (isFetching || q !== written),
    error: active ? error : null,
  }
}
