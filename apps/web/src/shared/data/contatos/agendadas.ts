import type { Agendada } from '@balcao/contract/entities/agendada'
import { agendadasRoute } from '@balcao/contract/routes/atendimento-agendadas'
import type { ServerEventPayloads } from '@balcao/contract/realtime'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

const agendadasKey = (conversaId: string) => ['agendadas', conversaId]
const PAGE = 100

export function useAgendadas(conversaId: string) {
  return useQuery<readonly Agendada[]>({
    queryKey: agendadasKey(conversaId),
    queryFn: async ({ signal }) => {
      const query = { limite: PAGE }
      return (await call(agendadasRoute, { params: { id: conversaId }, query, signal })).agendadas
    },
    networkMode: 'always',
  })
}

/** Puts a scheduled message into the list that the cache holds. A read in flight may lack it, so it is read again. */
export function applyAgendada(
  client: QueryClient,
  { conversaId, agendada }: Pick<ServerEventPayloads['agendadaMudou'], 'conversaId' | 'agendada'>,
): void {
  const queryKey = agendadasKey(conversaId)
  client.setQueryData<readonly Agendada[]>(queryKey, (list) => {
    if (list === undefined) return undefined
    const known = list.some(({ id }) => id === agendada.id)
    return known ? list.map((one) => (one.id === agendada.id ? agendada : one)) : [agendada, ...list]
  })
  if (client.isFetching({ queryKey }) > 0) void client.invalidateQueries({ queryKey })
}
