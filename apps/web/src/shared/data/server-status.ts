import type { SistemaStatus } from '@balcao/contract/entities/sistema-status'
import { sistemaStatusRoute } from '@balcao/contract/routes/sistema'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from './query-keys.ts'

const MEASURE_MS = 15_000

export function useSistemaStatus() {
  return useQuery({
    queryKey: QUERY_KEYS.sistema,
    queryFn: ({ signal }) => call(sistemaStatusRoute, { signal }),
    staleTime: 0,
    refetchInterval: MEASURE_MS,
    networkMode: 'always',
  })
}

const SERVER_LABEL = { online: 'Online', instavel: 'Instável' } as const

/** A failed measurement means offline, even while the socket still looks open. */
export function serverLabel(sistema: SistemaStatus, offline: boolean): string {
  return offline ? 'Offline' : SERVER_LABEL[sistema.servidor]
}
