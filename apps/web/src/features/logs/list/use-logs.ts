import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Log } from '@balcao/contract/entities/log'
import { logsRoute } from '@balcao/contract/routes/registros'
import { applyToLogs } from '@balcao/contract/sync/registros'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { type ApplyToQuery, fetchWithEvents, useLiveQuery } from './live-query.ts'
import { matchesLogFilter, logQueryOf, type LogFilter } from '#features/logs/filters/log-filter.ts'

export interface LoadedLogs {
  readonly logs: readonly Log[]
  readonly proximoCursor?: string | undefined
}
export function useLogs(filter: LogFilter, enabled: boolean) {
  const { contaId } = useUsuario()
  const queryKey = [...QUERY_KEYS.logs, filter]
  const apply: ApplyToQuery<LoadedLogs> = (parsed, event) =>
    event.evento === 'botLog' && matchesLogFilter(filter, event.dados)
      ? { ...parsed, logs: applyToLogs(parsed.logs, event, contaId) }
      : parsed
  useLiveQuery(queryKey, apply)
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      fetchWithEvents<LoadedLogs>(
        () => call(logsRoute, { query: { ...logQueryOf(filter), limite: LOGS_MANTIDOS }, signal }),
        apply,
      ),
    enabled: enabled,
    staleTime: 0,
    networkMode: 'always',
    placeholderData: keepPreviousData,
  })
}
