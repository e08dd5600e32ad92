import { usuarioEstatisticasRoute } from '@balcao/contract/routes/usuario'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from './query-keys.ts'

const INTERVAL_MS = 60_000

export const usageStatsOptions = queryOptions({
  queryKey: QUERY_KEYS.estatisticas,
  queryFn: async ({ signal }) => (await call(usuarioEstatisticasRoute, { signal })).usuario,
  meta: { failure: 'usage statistics not loaded' },
})

export function useUsageStats() {
  return useQuery({ ...usageStatsOptions, refetchInterval: INTERVAL_MS })
}
