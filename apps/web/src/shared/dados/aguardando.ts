import { estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVES } from './chaves.ts'

export function useAguardando(permitido: boolean): number {
  const { data } = useQuery({
    queryKey: CHAVES.atendimento,
    queryFn: ({ signal }) => call(estatisticasAtendimentoRoute, { signal }),
    enabled: permitido,
    retry: false,
  })
  return data?.aguardando ?? 0
}
