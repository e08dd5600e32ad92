import { restaurarConfigRoute, versoesConfigRoute } from '@balcao/contract/routes/config'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { ApiError, call } from '#shared/api-client.ts'
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

interface Restauracao {
  readonly n: number
  /** The version in force, as the person saw it: whoever saved meanwhile is not overwritten. */
  readonly versao: number | undefined
}

/** The chosen version becomes a new one, equal to it. A refusal because somebody saved meanwhile shows what they saved. */
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
