import { estatisticasAtendimentoRoute } from '@balcao/contract/routes/atendimento'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVES } from './chaves.ts'

/** How many human conversations wait, for the menu's badge; asked only for whoever may serve them, silent when it fails. */
export function useAguardando(permitido: boolean): number {
  const { data } = useQuery({
    queryKey: CHAVES.atendimento,
    queryFn: ({ signal }) => call(estatisticasAtendimentoRoute, { signal }),
    enabled: permitido,
    retry: false,
  })
  return data?.aguardando ?? 0
}
