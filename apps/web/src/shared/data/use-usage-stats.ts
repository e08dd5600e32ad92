import { usuarioEstatisticasRoute } from '@balcao/contract/routes/usuario'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from './query-keys.ts'

const INTERVAL_MS = 60_000

export function useUsageStats() {
  return useQuery({
    queryKey: QUERY_KEYS.estatisticas,
    queryFn: async ({ signal }) => (await call(usuarioEstatisticasRoute, { signal })).usuario,
    refetchInterval: INTERVAL_MS,
    meta: { failure: 'usage statistics not loaded' },
  })
}
