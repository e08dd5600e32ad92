import type { ConfigVersionada } from '@balcao/contract/entities/config'
import type { ConfigEntrada } from '@balcao/contract/entities/config-entrada'
import { restaurarConfigRoute, salvarConfigRoute, versoesConfigRoute } from '@balcao/contract/routes/config'
import { type QueryClient, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { CHAVES } from './chaves.ts'
import { guardarCopia } from './copia-config.ts'

/** Writing the configuration, apart from reading it: only the editors load this. */

function receberConfig(cliente: QueryClient, contaId: string, config: ConfigVersionada): void {
  guardarCopia(contaId, config)
  cliente.setQueryData(CHAVES.config, config)
  void cliente.invalidateQueries({ queryKey: CHAVES.versoes })
}

/** Saves the whole configuration; `versao` inside it is what makes a stale window be refused with 409. */
export function useSalvarConfig() {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  return useMutation({
    mutationFn: async (config: ConfigEntrada) => (await call(salvarConfigRoute, { body: config })).config,
    onSuccess: (config) => receberConfig(cliente, contaId, config),
  })
}

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
