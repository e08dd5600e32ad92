import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useUsageStats } from '#shared/data/use-usage-stats.ts'
import { LIMITE_KEY, type ReachedLimite } from './envio/send-result.ts'

/** The daily limit once reached, until its reset time. Shared by all conversas. */
export function useReachedLimite(): ReachedLimite | null {
  const cliente = useQueryClient()
  const { data = null } = useQuery<ReachedLimite | null>({
    queryKey: LIMITE_KEY,
    queryFn: () => null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (data === null) return
    const missing = Math.max(0, Date.parse(data.resetEm) - Date.now())
    const volta = setTimeout(() => cliente.setQueryData(LIMITE_KEY, null), Math.min(missing, 2_147_483_647))
    return () => clearTimeout(volta)
  }, [cliente, data])
  return data
}

/** Clears the limit early when newer usage numbers show that the administrator raised or reset it. */
export function useLimiteRaised(): void {
  const cliente = useQueryClient()
  const [since] = useState(() => Date.now())
  const { data, dataUpdatedAt } = useUsageStats()
  const sobra =
    data !== undefined && (data.limiteDiario === null || data.estatisticas.mensagensHoje < data.limiteDiario)
  const levantado = sobra && dataUpdatedAt > since
  useEffect(() => {
    if (levantado) cliente.setQueryData(LIMITE_KEY, null)
  }, [cliente, levantado])
}
