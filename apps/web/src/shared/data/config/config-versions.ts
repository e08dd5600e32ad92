import { restaurarConfigRoute, versoesConfigRoute } from '@balcao/contract/routes/config'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { storeSavedConfig } from './use-save-config.ts'

export function useConfigVersions() {
  return useInfiniteQuery({
    queryKey: QUERY_KEYS.versoes,
    queryFn: ({ signal, pageParam }) =>
      call(versoesConfigRoute, { query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ proximoCursor }) => proximoCursor,
  })
}

interface ConfigRestore {
  readonly n: number
  /** The current version that this user saw, so that a newer save is not overwritten. */
  readonly versao: number | undefined
}

export function useRestoreConfig() {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  return useMutation({
    mutationFn: async ({ n, versao }: ConfigRestore) => {
      const body = versao === undefined ? {} : { versao }
      return (await call(restaurarConfigRoute, { params: { n }, body })).config
    },
    onSuccess: (config) => storeSavedConfig(cliente, contaId, config),
    onError: async (error) => {
      if (!(error instanceof ApiError) || error.codigo !== 'versaoDesatualizada') return
      await Promise.all(
        [QUERY_KEYS.config, QUERY_KEYS.versoes].map((queryKey) => cliente.invalidateQueries({ queryKey })),
      )
    },
  })
}
