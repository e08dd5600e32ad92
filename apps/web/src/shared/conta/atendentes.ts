import type { Atendente } from '@balcao/contract/entities/operador'
import { atendentesRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'

const NO_PEOPLE: readonly Atendente[] = []
const STALE_MS = 60_000

export function useAtendentes(enabled = true): readonly Atendente[] {
  const { data } = useQuery({
    queryKey: QUERY_KEYS.atendentes,
    queryFn: async ({ signal }) => (await call(atendentesRoute, { signal })).atendentes,
    staleTime: STALE_MS,
    retry: false,
    enabled,
  })
  return data ?? NO_PEOPLE
}
