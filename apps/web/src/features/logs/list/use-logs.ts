import { LOGS_MANTIDOS } from '@balcao/contract/constants'
import type { Log } from '@balcao/contract/entities/log'
import { logsRoute } from '@balcao/contract/routes/registros'
import { applyToLogs } from '@balcao/contract/sync/registros'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { useUsuario } from '#shared/session.tsx'
import { matchesLogFilter, logQueryOf, type LogFilter } from '#features/logs/log-filter.ts'
import { useState } from 'react'
import { type ApplyToQuery, fetchWithEvents, useLiveQuery, useRefetchOn } from './live-list.tsx'

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
  useRefetchOn('botLog', queryKey, enabled && filter.linha !== null && filter.periodo !== 'ontem')
  return useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      fetchWithEvents<LoadedLogs>(
        () => call(logsRoute, { query: { ...logQueryOf(filter), limite: LOGS_MANTIDOS }, signal }),
        apply,
      ),
    enabled,
    staleTime: 0,
    networkMode: 'always',
    placeholderData: keepPreviousData,
  })
}

type PauseReason = 'ponteiro' | 'foco' | 'rolagem' | 'pedido'

export interface LogPause {
  readonly shown: readonly Log[]
  readonly newCount: number
  readonly paused: boolean
  readonly requested: boolean
  readonly setReason: (cause: PauseReason, enabled: boolean) => void
  /** Shows the new entries. The pause continues while a reason remains. */
  readonly showNew: () => void
}

const NO_REASONS: ReadonlySet<PauseReason> = new Set()

/** Freezes the live list while a pause reason exists. The key identifies the filter. */
export function useLogPause(logs: readonly Log[], key: string): LogPause {
  const [reasons, setReasons] = useState(NO_REASONS)
  const [frozen, setFrozen] = useState<{ readonly chave: string; readonly logs: readonly Log[] } | null>(null)
  const paused = reasons.size > 0
  if (paused && frozen?.chave !== key) setFrozen({ chave: key, logs })
  if (!paused && frozen !== null) setFrozen(null)
  const stopped = paused && frozen?.chave === key ? frozen.logs : logs
  // Compares by id: frozen entries may have been refreshed or removed.
  const known = new Set(stopped.map(({ id }) => id))
  return {
    shown: stopped,
    newCount: stopped === logs ? 0 : logs.filter(({ id }) => !known.has(id)).length,
    paused,
    requested: reasons.has('pedido'),
    setReason: (cause, enabled) =>
      setReasons((current) => {
        if (current.has(cause) === enabled) return current
        const fresh = new Set(current)
        if (enabled) fresh.add(cause)
        else fresh.delete(cause)
        return fresh
      }),
    showNew: () => setFrozen(paused ? { chave: key, logs } : null),
  }
}
