import type { Atendente } from '@balcao/contract/entities/operador'
import { atendentesRoute } from '@balcao/contract/routes/atendimento-equipe'
import { useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

const NO_ATENDENTES: readonly Atendente[] = []

/** The people of the account, by name. Empty while unknown. */
export function useAtendentes(): readonly Atendente[] {
  const { data } = useQuery({
    queryKey: ['atendimento', 'atendentes'],
    queryFn: async ({ signal }) => (await call(atendentesRoute, { signal })).atendentes,
  })
  return data ?? NO_ATENDENTES
}
