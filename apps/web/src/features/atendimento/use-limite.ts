import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useEstatisticas } from '#shared/dados/estatisticas.ts'
import { CHAVE_LIMITE, type LimiteDoDia } from './receber.ts'

/** The daily limit once reached, until its reset time. Shared by all conversas. */
export function useLimite(): LimiteDoDia | null {
  const cliente = useQueryClient()
  const { data = null } = useQuery<LimiteDoDia | null>({
    queryKey: CHAVE_LIMITE,
    queryFn: () => null,
    enabled: false,
    gcTime: Number.POSITIVE_INFINITY,
  })
  useEffect(() => {
    if (data === null) return
    const falta = Math.max(0, Date.parse(data.resetEm) - Date.now())
    const volta = setTimeout(() => cliente.setQueryData(CHAVE_LIMITE, null), Math.min(falta, 2_147_483_647))
    return () => clearTimeout(volta)
  }, [cliente, data])
  return data
}

/** Clears the limit early when newer usage numbers show that the administrator raised or reset it. */
export function useLimiteLevantado(): void {
  const cliente = useQueryClient()
  const [desde] = useState(() => Date.now())
  const { data, dataUpdatedAt } = useEstatisticas()
  const sobra =
    data !== undefined && (data.limiteDiario === null || data.estatisticas.mensagensHoje < data.limiteDiario)
  const levantado = sobra && dataUpdatedAt > desde
  useEffect(() => {
    if (levantado) cliente.setQueryData(CHAVE_LIMITE, null)
  }, [cliente, levantado])
}
