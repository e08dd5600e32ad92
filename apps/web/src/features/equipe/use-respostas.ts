import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { respostasRapidasRoute, salvarRespostasRapidasRoute } from '@balcao/contract/routes/atendimento-equipe'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '#shared/api-client.ts'

/** `versao` identifies the loaded list. A save sends it, so that the server detects conflicts. */
export interface RespostasLidas {
  readonly respostas: readonly RespostaRapida[]
  readonly versao?: string | undefined
}

const CONSULTA = queryOptions<RespostasLidas>({
  queryKey: ['atendimento', 'respostas-rapidas'],
  queryFn: ({ signal }) => call(respostasRapidasRoute, { signal }),
  networkMode: 'always',
})

export function useRespostas() {
  return useQuery(CONSULTA)
}

/** Both functions reject with `ApiError`. Saving fails with `conflito` if `versao` is outdated. */
export function useServidorDeRespostas() {
  const cliente = useQueryClient()
  return {
    lerDeNovo: (): Promise<RespostasLidas> => cliente.fetchQuery({ ...CONSULTA, staleTime: 0 }),
    gravar: async (respostas: RespostaRapida[], versao: string | undefined): Promise<RespostasLidas> => {
      const body = { respostas, ...(versao === undefined ? {} : { versao }) }
      const salvas = await call(salvarRespostasRapidasRoute, { body })
      cliente.setQueryData(CONSULTA.queryKey, salvas)
      return salvas
    },
  }
}
