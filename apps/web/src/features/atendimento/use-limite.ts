import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useEstatisticas } from '#shared/dados/estatisticas.ts'
import { CHAVE_LIMITE, type LimiteDoDia } from './receber.ts'

/** The limit, until its own hour comes; every conversation knows of it. */
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

/** The administrator may raise the limit, or begin the count anew, before that hour: what the panel reads of the usage tells. */
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
