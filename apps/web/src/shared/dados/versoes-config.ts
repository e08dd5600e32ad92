import { restaurarConfigRoute, versoesConfigRoute } from '@balcao/contract/routes/config'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
import { useUsuario } from '#shared/session.tsx'
import { CHAVES } from './chaves.ts'
import { receberConfig } from './config-escrita.ts'

export function useVersoesConfig() {
  return useInfiniteQuery({
    queryKey: CHAVES.versoes,
    queryFn: ({ signal, pageParam }) =>
      call(versoesConfigRoute, { query: pageParam === '' ? {} : { cursor: pageParam }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ proximoCursor }) => proximoCursor,
  })
}

interface Restauracao {
  readonly n: number
  /** The current version that this user saw, so that a newer save is not overwritten. */
  readonly versao: number | undefined
}

/** Saves the chosen version as a new one. A version conflict refetches the configuration and the history. */
export function useRestaurarConfig() {
  const { contaId } = useUsuario()
  const cliente = useQueryClient()
  return useMutation({
    mutationFn: async ({ n, versao }: Restauracao) => {
      const body = versao === undefined ? {} : { versao }
      return (await call(restaurarConfigRoute, { params: { n }, body })).config
    },
    onSuccess: (config) => receberConfig(cliente, contaId, config),
    onError: async (erro) => {
      if (!(erro instanceof ApiError) || erro.codigo !== 'versaoDesatualizada') return
      await Promise.all([CHAVES.config, CHAVES.versoes].map((queryKey) => cliente.invalidateQueries({ queryKey })))
    },
  })
}
