import { estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from './query-keys.ts'

export function useWaitingCount(allowed: boolean): number {
  const { data } = useQuery({
    queryKey: QUERY_KEYS.atendimento,
    queryFn: ({ signal }) => call(estatisticasAtendimentoRoute, { signal }),
    enabled: allowed,
    retry: false,
  })
  return data?.aguardando ?? 0
}
