import { restaurarConfigRoute, versoesConfigRoute } from '@balcao/contract/routes/config'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { CHAVES } from './chaves.ts'
import { receberConfig } from './config-escrita.ts'

/** The configuration's history, which comes when somebody opens it. */

/** The saved versions, newest first, a page at a time. */
export function useVersoesConfig() {
  return useInfiniteQuery({
    queryKey: CHAVES.versoes,
    queryFn: ({ signal, pageParam }) =>
      call(versoesConfigRoute, { query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ proximoCursor }) => proximoCursor,
  })
}

/** The chosen version becomes a new one, equal to it. */
export function useRestaurarConfig() {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  return useMutation({
    mutationFn: async (n: number) => (await call(restaurarConfigRoute, { params: { n } })).config,
    onSuccess: (config) => receberConfig(cliente, contaId, config),
  })
}
