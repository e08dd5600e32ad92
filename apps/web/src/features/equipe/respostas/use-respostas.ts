import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { respostasRapidasRoute, salvarRespostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

/** `versao` identifies the loaded list. A save sends it, so that the server detects conflicts. */
export interface LoadedRespostas {
  readonly respostas: readonly RespostaRapida[]
  readonly versao?: string | undefined
}

const RESPOSTAS_QUERY = queryOptions<LoadedRespostas>({
  queryKey: ['atendimento', 'respostas-rapidas'],
  queryFn: ({ signal }) => call(respostasRapidasRoute, { signal }),
  networkMode: 'always',
})

export function useRespostas() {
  return useQuery(RESPOSTAS_QUERY)
}

/** Both functions reject with `ApiError`. Saving fails with `conflito` if `versao` is outdated. */
export function useRespostasServer() {
  const cliente = useQueryClient()
  return {
    lerDeNovo: (): Promise<LoadedRespostas> => cliente.fetchQuery({ ...RESPOSTAS_QUERY, staleTime: 0 }),
    gravar: async (respostas: RespostaRapida[], versao: string | undefined): Promise<LoadedRespostas> => {
      const body = { respostas, ...(versao === undefined ? {} : { versao }) }
      const saved = await call(salvarRespostasRapidasRoute, { body })
      cliente.setQueryData(RESPOSTAS_QUERY.queryKey, saved)
      return saved
    },
  }
}
