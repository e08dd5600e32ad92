import { usuarioEstatisticasRoute } from '@balcao/contract/routes/usuario'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { CHAVES } from './chaves.ts'

const INTERVALO_MS = 60_000

export function useEstatisticas() {
  return useQuery({
    queryKey: CHAVES.estatisticas,
    queryFn: async ({ signal }) => (await call(usuarioEstatisticasRoute, { signal })).usuario,
    refetchInterval: INTERVALO_MS,
  })
}
